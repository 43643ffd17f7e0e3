import { expect, test } from 'vitest';
import { normalizeNumber, whatsAppDigits, whatsAppUrl } from './whatsapp-number-and-link.ts';

test.each([
  ['+447700900123', '447700900123'],
  ['+44 (0)7700 900-123', '447700900123'],
  ['07700 900123', null],
  ['call me', null],
  ['+0123456789', null],
])('%s is converted to %s', (phone, digits) => {
  expect(whatsAppDigits(phone)).toBe(digits);
});

test('[V1.2.2] the text is URL-encoded', () => {
  expect(whatsAppUrl('+447700900123', 'Tea & cake?\n100 %')).toBe(
    'https://wa.me/447700900123?text=Tea%20%26%20cake%3F%0A100%20%25',
  );
});

test.each([
  ['447700900123', '447700900123'],
  ['5215512345678', '525512345678'],
  ['525512345678', '525512345678'],
  ['5491112345678', '541112345678'],
  ['5511987654321', '551187654321'],
  ['551187654321', '551187654321'],
])('%s is normalised to %s', (digits, key) => {
  expect(normalizeNumber(digits)).toBe(key);
});
