import { expect, test } from 'vitest';
import { creditNoteNumber, invoiceNumber } from './number.ts';

test('numbers are padded and never truncated', () => {
  expect(invoiceNumber('', 1)).toBe('0001');
  expect(invoiceNumber('SM-', 42)).toBe('SM-0042');
  expect(invoiceNumber('', 123_456)).toBe('123456');
  expect(creditNoteNumber(7)).toBe('CN-0007');
});
