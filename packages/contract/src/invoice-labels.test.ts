import { expect, test } from 'vitest';
import { formatInvoiceState } from './invoice-labels.ts';

test.each([
  ['on_hold', 'refund', 'Refunded'],
  ['on_hold', 'query', 'Queried'],
  ['on_hold', 'instalments', 'In instalments'],
  ['on_hold', null, 'On hold'],
  // Part of an unpaid invoice can be on hold.
  ['overdue', 'query', 'Overdue'],
  ['sent', null, 'Issued'],
] as const)('an invoice that is %s because of %s is labelled %s', (state, holdReason, label) => {
  expect(formatInvoiceState({ state, holdReason })).toBe(label);
});
