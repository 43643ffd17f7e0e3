import { expect, test } from 'vitest';
import { deriveInvoiceState, type InvoiceStateInput } from './invoice-state.ts';

const today = '2026-11-16';
const sent: InvoiceStateInput = {
  issued: true,
  voided: false,
  total: 10_500,
  credited: 0,
  writtenOff: 0,
  due: 10_500,
  onHold: 0,
  dueOn: '2026-11-16',
};

test.each<[string, Partial<InvoiceStateInput>]>([
  ['draft', { issued: false }],
  ['sent', {}],
  ['part_paid', { due: 500 }],
  ['paid', { due: 0 }],
  ['overdue', { dueOn: '2026-11-15' }],
  ['overdue', { dueOn: '2026-11-15', due: 500 }],
  ['paid', { dueOn: '2026-11-15', due: 0 }],
  ['void', { voided: true }],
  ['on_hold', { due: 500, onHold: 500, dueOn: '2026-11-15' }],
  ['overdue', { due: 600, onHold: 500, dueOn: '2026-11-15' }],
  ['sent', { credited: 500, due: 10_000 }],
  ['sent', { dueOn: null }],
])('%s when %j', (state, change) => {
  expect(deriveInvoiceState({ ...sent, ...change }, today)).toBe(state);
});
