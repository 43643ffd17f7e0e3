import { expect, test } from 'vitest';
import { GONE, Journal } from './journal.ts';

test('what is known of a row adds up, and what is gone is forgotten', () => {
  const journal = new Journal();
  journal.note('payments', 1, { amount: 500, refunded: 0 });
  journal.note('payments', 1, { refunded: 200 });
  journal.note('time_off', 2, { reason: 'Half-term' });
  journal.note('time_off', 2, GONE);
  expect(journal.take(false).facts).toEqual([
    { table: 'payments', id: 1, row: { amount: 500, refunded: 200 } },
    { table: 'time_off', id: 2, row: GONE },
  ]);
});

test('gives what came since the last look, or everything', () => {
  const journal = new Journal();
  journal.mark('student', 'st-1', 'once');
  journal.owe(4, 300);
  expect(journal.take(false)).toMatchObject({ marks: [{ mark: 'st-1' }], balances: [[4, 300]] });
  journal.owe(4, -100);
  expect(journal.take(false)).toEqual({ facts: [], marks: [], balances: [[4, 200]] });
  expect(journal.take(true)).toMatchObject({ marks: [{ mark: 'st-1' }], balances: [[4, 200]] });
});
