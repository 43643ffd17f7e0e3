import { AUDIT_ACTIONS } from '@lessonbook/contract/audit';
import { expect, test } from 'vitest';
import { formatAuditAction, formatOrigin } from './audit-text.ts';

test('every action is described in one sentence', () => {
  const metadata = {
    count: 2,
    number: 'INV-7',
    amount: -3500,
    currency: 'GBP',
    kind: 'carer',
    prices: 3,
    from: '2026-12-01',
  };
  for (const action of AUDIT_ACTIONS)
    expect(formatAuditAction(action, metadata)).toMatch(/^[A-Z£\d].*\.$/);
  expect(formatAuditAction('payment_reversed', metadata)).toBe('A payment of £35.00 was reversed.');
  expect(formatAuditAction('prices_raised', { prices: 1, from: '2026-12-01' })).toBe(
    '1 price rise saved, starting on 1 December 2026.',
  );
  expect(formatAuditAction('invoice_voided', metadata)).toBe('Invoice INV-7 was voided.');
  expect(formatAuditAction('students_imported', { count: 1 })).toBe(
    '1 student was imported from a file.',
  );
});

test('the origin contains the device and network, if known', () => {
  expect(formatOrigin('Firefox on Windows', '203.0.113.x')).toBe('Firefox on Windows, 203.0.113.x');
  expect(formatOrigin(null, null)).toBeNull();
});
