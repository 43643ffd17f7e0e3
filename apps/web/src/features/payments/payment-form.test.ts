import { describe, expect, test } from 'vitest';
import { openCharge, paymentStart } from '../../test/family-fixtures.ts';
import { availableCurrencies, paymentFormSchema, toFormValues, toInput } from './payment-form.ts';

describe('what the form starts with', () => {
  test('all that is owed, today, and the way the payer paid last', () => {
    expect(toFormValues(paymentStart())).toEqual({
      amount: '70',
      currency: 'GBP',
      method: 'cash',
      date: '2026-11-15',
      note: '',
    });
  });

  test('the sum of the lessons it was opened for', () => {
    const start = paymentStart({ preselectedChargeIds: [2] });
    expect(toFormValues(start).amount).toBe('35');
    expect(toInput(toFormValues(start), start).chargeIds).toEqual([2]);
  });

  test('what the payer says was transferred, by transfer', () => {
    const start = paymentStart({ claim: { amount: 10_050, currency: 'GBP', on: '2026-11-14' } });
    expect(toFormValues(start)).toMatchObject({ amount: '100.50', method: 'bank_transfer' });
  });

  test('no amount when nothing is owed: money may come ahead', () => {
    const start = paymentStart({ balances: [], charges: [], lastMethod: null });
    expect(toFormValues(start)).toMatchObject({ amount: '', method: 'bank_transfer' });
  });
});

test('lessons in another currency are not named by this one', () => {
  const start = paymentStart({
    preselectedChargeIds: [1, 9],
    charges: [openCharge(), openCharge({ id: 9, currency: 'EUR' })],
  });
  expect(availableCurrencies(start)).toEqual(['GBP', 'EUR']);
  expect(toInput({ ...toFormValues(start), currency: 'EUR' }, start).chargeIds).toEqual([9]);
});

test.each([
  ['', 'Please enter an amount'],
  ['abc', 'Please enter an amount'],
  ['35.505', 'Please enter an amount'],
  ['0', 'The amount must be greater than 0'],
  ['-5', 'The amount must be greater than 0'],
  ['99999999', 'That amount is too large'],
])('an amount of "%s" is refused in the words of the contract', (amount, message) => {
  const start = paymentStart();
  const checked = paymentFormSchema(start).safeParse({ ...toFormValues(start), amount });
  expect(checked.error?.issues.map((issue) => issue.message)).toContain(message);
});
