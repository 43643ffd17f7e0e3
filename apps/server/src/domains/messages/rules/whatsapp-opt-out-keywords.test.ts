import { expect, test } from 'vitest';
import { parseOptOutKeyword } from './whatsapp-opt-out-keywords.ts';

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
