import type { Random } from '@lessonbook/server/src/test/model/random.ts';

/** Values that the web app never sends. */
const MALFORMED_VALUES: readonly unknown[] = [
  null,
  true,
  '',
  ' ',
  '\t\n',
  [],
  {},
  [[]],
  [null],
  -1,
  0,
  1.5,
  -0,
  1e308,
  -1e308,
  2 ** 53,
  2 ** 31,
  -(2 ** 31) - 1,
  5e-324,
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '0x1f',
  '1e3',
  '١٢٣',
  'a\u202Eb\u2066c',
  `e${'\u0301'.repeat(300)}`,
  '\uD800',
  'x\uDFFFy',
  '\uFEFFname',
  '\u200B',
  '👩‍👩‍👧‍👦'.repeat(10),
  'ǰ'.repeat(50),
  'İı',
  'a\u0000b',
  '\u0085\u2028\u2029',
  '\u001b[31m',
  "' or 1=1 --",
  '"; drop table tutors; --',
  '$1',
  '%',
  '_',
  '\\',
  '{{7*7}}',
  '${7*7}',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'file:///etc/passwd',
  '0000-00-00',
  '2026-02-30',
  '9999-12-31',
  '1970-01-01',
  '+275760-09-13',
  '2026-11-15T25:61:61Z',
  '99:99',
  '24:00',
  '23:59',
  '00:00',
  { $ne: null },
  { toString: 1 },
  { length: 1e9 },
  'constructor',
  '__proto__',
  'hasOwnProperty',
];

const MEGABYTE = 1024 * 1024;

/** Used rarely, because each costs as much as a hundred other values. */
const LARGE_VALUES: readonly (() => unknown)[] = [
  () => 'x'.repeat(MEGABYTE),
  () => 'é'.repeat(100_000),
  () => Array.from({ length: 10_000 }, (_, index) => index + 1),
  () => Array.from({ length: 10_000 }, () => ({})),
  () => '9'.repeat(20_000),
  () => `${'a'.repeat(50_000)}@example.com`,
];

export const malformedValue = (random: Random): unknown =>
  random.chance(0.02) ? random.pick(LARGE_VALUES)() : random.pick(MALFORMED_VALUES);

const nest = (open: string, close: string) => open.repeat(2000) + close.repeat(2000);

export interface MalformedBody {
  type: string;
  text: string | Buffer;
}

/** Returns a malformed variant of the valid body. */
export function malformedBody(random: Random, valid: unknown): MalformedBody {
  const json = 'application/json';
  const text = JSON.stringify(valid ?? {});
  const first = text.slice(1, -1).split(',')[0] ?? '';
  return random.pick<() => MalformedBody>([
    () => ({ type: json, text: text.slice(0, -1) }),
    () => ({ type: json, text: nest('[', ']') }),
    () => ({ type: json, text: `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}` }),
    () => ({
      type: json,
      text: text.replace(/}$/, `${first ? `,${first}` : '"a":1'},"id":1000001}`),
    }),
    () => ({ type: json, text: text.replace(/^\{/, '{"__proto__":{"tutorId":"x"},') }),
    () => ({
      type: json,
      text: text.replace(/^\{/, '{"constructor":{"prototype":{"admin":true}},'),
    }),
    () => ({ type: json, text: `\uFEFF${text}` }),
    () => ({ type: json, text: text.replaceAll(/:\s*\d+/g, ':NaN') }),
    () => ({ type: json, text: text.replaceAll(/:\s*\d+/g, ':1e999') }),
    () => ({
      type: json,
      text: Buffer.from([0x7b, 0x22, 0xc0, 0xaf, 0x22, 0x3a, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x7d]),
    }),
    () => ({ type: json, text: Buffer.from(text, 'utf16le') }),
    () => ({ type: json, text: 'null' }),
    () => ({ type: json, text: '"x"' }),
    () => ({ type: json, text: '[]' }),
    () => ({ type: `${json}; charset=utf-7`, text }),
    () => ({ type: 'text/plain', text }),
    () => ({ type: 'application/x-www-form-urlencoded', text: 'tutorId=1&id=1000001' }),
    () => ({ type: 'multipart/form-data; boundary=x', text: '--x\r\n\r\n1\r\n--x--' }),
    () => ({
      type: 'application/xml',
      text: '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>',
    }),
    () => ({ type: 'application/vnd.api+json', text }),
    () => ({ type: '', text }),
    ...(random.chance(0.05)
      ? [() => ({ type: json, text: `{"x":"${'y'.repeat(MEGABYTE)}"}` })]
      : []),
  ])();
}
