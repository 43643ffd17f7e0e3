import { expect, test } from 'vitest';
import { DELETED, ExpectedState } from './expected-state.ts';

test('merges the expected columns of a row and discards them when the row is deleted', () => {
  const expectedState = new ExpectedState();
  expectedState.expectRow('payments', 1, { amount: 500, refunded: 0 });
  expectedState.expectRow('payments', 1, { refunded: 200 });
  expectedState.expectRow('time_off', 2, { reason: 'Half-term' });
  expectedState.expectRow('time_off', 2, DELETED);
  expect(expectedState.expectations(false).expectedRows).toEqual([
    { table: 'payments', id: 1, row: { amount: 500, refunded: 200 } },
    { table: 'time_off', id: 2, row: DELETED },
  ]);
});

test('returns the expectations since the last call, or all of them', () => {
  const expectedState = new ExpectedState();
  expectedState.expectMarker('student', 'st-1', 1);
  expectedState.addToBalance(4, 300);
  expect(expectedState.expectations(false)).toMatchObject({
    markers: [{ marker: 'st-1' }],
    balances: [[4, 300]],
  });
  expectedState.addToBalance(4, -100);
  expect(expectedState.expectations(false)).toEqual({
    expectedRows: [],
    markers: [],
    balances: [[4, 200]],
  });
  expect(expectedState.expectations(true)).toMatchObject({
    markers: [{ marker: 'st-1' }],
    balances: [[4, 200]],
  });
});
