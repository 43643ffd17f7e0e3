import { AUDIT_ACTIONS } from '@lessonbook/contract/audit';
import { expect, test } from 'vitest';
import { formatAuditAction, formatOrigin } from './audit-text.ts';

test('every act is one sentence', () => {
  const facts = { count: 2, number: 'INV-7', amount: -3500, currency: 'GBP', kind: 'carer' };
  for (const act of AUDIT_ACTIONS) expect(formatAuditAction(act, facts)).toMatch(/^[A-Z£\d].*\.$/);
  expect(formatAuditAction('payment_reversed', facts)).toBe('A payment of £35.00 was taken back.');
  expect(formatAuditAction('invoice_voided', facts)).toBe('Invoice INV-7 was voided.');
  expect(formatAuditAction('students_imported', { count: 1 })).toBe(
    '1 student came in from a file.',
  );
});

test('from where, as far as it is known', () => {
  expect(formatOrigin('Firefox on Windows', '203.0.113.x')).toBe('Firefox on Windows, 203.0.113.x');
  expect(formatOrigin(null, null)).toBeNull();
});
