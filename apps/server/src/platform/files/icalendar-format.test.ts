import { expect, test } from 'vitest';
import { buildCalendar, escapeText, formatLocal, formatUtc } from './icalendar-format.ts';

test('formats UTC and local times', () => {
  expect(formatUtc(new Date('2026-11-17T16:00:00.123Z'))).toBe('20261117T160000Z');
  expect(formatLocal('2026-11-17T16:00:00')).toBe('20261117T160000');
});

test.each([
  ['a, b; c\\d', String.raw`a\, b\; c\\d`],
  ['one\ntwo\r\nthree\rfour', String.raw`one\ntwo\nthree\nfour`],
  ['bell\u0007, escape\u001b, tab\t.', String.raw`bell\, escape\, tab${'\t'}.`],
  ['naïve "😀": ok', 'naïve "😀": ok'],
])('escapes %j', (text, escaped) => {
  expect(escapeText(text)).toBe(escaped);
});

test.each([
  ['x'.repeat(75), 1],
  ['x'.repeat(76), 2],
  ['ü'.repeat(37), 1],
  ['ü'.repeat(38), 2],
  [`x${'😀'.repeat(18)}xx`, 1],
  [`x${'😀'.repeat(19)}`, 2],
  ['x'.repeat(75 + 74), 2],
  ['x'.repeat(75 + 74 + 1), 3],
])('%s is folded into %i lines of at most 75 bytes', (line, count) => {
  const lines = buildCalendar([line]).split('\r\n').slice(3, -2);
  expect(lines).toHaveLength(count);
  for (const folded of lines) expect(Buffer.byteLength(folded)).toBeLessThanOrEqual(75);
  expect(lines.join('\r\n').replaceAll('\r\n ', '')).toBe(line);
});
