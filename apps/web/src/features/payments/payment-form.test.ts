import { describe, expect, test } from 'vitest';
import { openCharge, paymentFormData } from '../../test/family-and-payment-fixtures.ts';
import { availableCurrencies, paymentFormSchema, toFormValues, toInput } from './payment-form.ts';

describe('initial values', () => {
  test('defaults to the full balance, today and the last method used', () => {
    expect(toFormValues(paymentFormData())).toEqual({
      amount: '70',
      currency: 'GBP',
      method: 'cash',
      date: '2026-11-15',
      note: '',
    });
  });

  test('defaults to the sum of the preselected charges', () => {
    const formData = paymentFormData({ preselectedChargeIds: [2] });
    expect(toFormValues(formData).amount).toBe('35');
    expect(toInput(toFormValues(formData), formData).chargeIds).toEqual([2]);
  });

  test('defaults to the reported transfer', () => {
    const formData = paymentFormData({
      claim: { amount: 10_050, currency: 'GBP', claimedOn: '2026-11-14' },
    });
    expect(toFormValues(formData)).toMatchObject({ amount: '100.50', method: 'bank_transfer' });
  });

  test('leaves the amount empty when nothing is owed, for payments in advance', () => {
    const formData = paymentFormData({ balances: [], charges: [], lastMethod: null });
    expect(toFormValues(formData)).toMatchObject({ amount: '', method: 'bank_transfer' });
  });
});

test('sends only preselected charges in the selected currency', () => {
  const formData = paymentFormData({
    preselectedChargeIds: [1, 9],
    charges: [openCharge(), openCharge({ id: 9, currency: 'EUR' })],
  });
  expect(availableCurrencies(formData)).toEqual(['GBP', 'EUR']);
  expect(toInput({ ...toFormValues(formData), currency: 'EUR' }, formData).chargeIds).toEqual([9]);
});

test.each([
  ['', 'Please enter an amount'],
  ['abc', 'Please enter an amount'],
  ['35.505', 'Please enter an amount'],
  ['0', 'The amount must be greater than 0'],
  ['-5', 'The amount must be greater than 0'],
  ['99999999', 'That amount is too large'],
])('rejects the amount "%s" with the message from the contract', (amount, message) => {
  const formData = paymentFormData();
  const parsed = paymentFormSchema(formData).safeParse({ ...toFormValues(formData), amount });
  expect(parsed.error?.issues.map((issue) => issue.message)).toContain(message);
});
