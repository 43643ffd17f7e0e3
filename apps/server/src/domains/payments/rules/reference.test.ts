import { expect, test } from 'vitest';
import { buildPaymentReference } from './reference.ts';

test('F38 the payment reference contains no name and fits into the reference field of a bank transfer', () => {
  expect(buildPaymentReference(3)).toBe('LESSONS3');
  expect(buildPaymentReference(2_147_483_647)).toMatch(/^[A-Z0-9]{1,18}$/);
});
