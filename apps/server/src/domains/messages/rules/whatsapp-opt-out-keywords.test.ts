import { expect, test } from 'vitest';
import { normalizeNumber, parseOptOutKeyword } from './whatsapp-opt-out-keywords.ts';

test.each([
  ['STOP', 'stop'],
  ['  stop \n', 'stop'],
  ['Stopp!', 'stop'],
  ['Unsubscribe.', 'stop'],
  ['start', 'start'],
  ['Please stop by at four', null],
  ['stop start', null],
  ['', null],
])('%j is parsed as %s', (text, keyword) => {
  expect(parseOptOutKeyword(text)).toBe(keyword);
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
