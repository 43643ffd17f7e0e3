import { ACTS } from '@lessonbook/contract/activity';
import { expect, test } from 'vitest';
import { actInWords, fromInWords } from './act-words.ts';

test('every act is one sentence', () => {
  const facts = { count: 2, number: 'INV-7', amount: -3500, currency: 'GBP', kind: 'carer' };
  for (const act of ACTS) expect(actInWords(act, facts)).toMatch(/^[A-Z£\d].*\.$/);
  expect(actInWords('payment_reversed', facts)).toBe('A payment of £35.00 was taken back.');
  expect(actInWords('invoice_voided', facts)).toBe('Invoice INV-7 was voided.');
  expect(actInWords('students_imported', { count: 1 })).toBe('1 student came in from a file.');
});

test('from where, as far as it is known', () => {
  expect(fromInWords('Firefox on Windows', '203.0.113.x')).toBe('Firefox on Windows, 203.0.113.x');
  expect(fromInWords(null, null)).toBeNull();
});
