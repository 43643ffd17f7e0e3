import { expect, test } from 'vitest';
import { formatCreditNoteNumber, formatInvoiceNumber } from './invoice-number.ts';

test('numbers are padded and never truncated', () => {
  expect(formatInvoiceNumber('', 1)).toBe('0001');
  expect(formatInvoiceNumber('SM-', 42)).toBe('SM-0042');
  expect(formatInvoiceNumber('', 123_456)).toBe('123456');
  expect(formatCreditNoteNumber(7)).toBe('CN-0007');
});
