import { expect, test } from 'vitest';
import { encodeParameter } from './encode-parameter.ts';
import { parseRate, toPgbenchScript } from './pgbench.ts';

const tokenHash = Buffer.from('abc');
const tutorId = '019a8000-0000-7000-8000-000000000000';

test('keeps the statements and turns their parameters into variables', () => {
  const script = toPgbenchScript(
    [
      {
        text: 'select "tutor_id" as "tutorId" from "logins" where "token_hash" = $1',
        values: [tokenHash],
      },
      { text: 'BEGIN', values: [] },
      {
        text: 'select $2::text,\n  -- A comment.\n  x from y where t = $1 and d = any($3::date[]) and n is not distinct from $4',
        values: [tutorId, 'a b', ['2026-11-16', null], null],
      },
    ],
    { preamble: [String.raw`\set login 7`], tutorId, tokenHash },
  );
  expect(script.text.split('\n')).toEqual([
    String.raw`\set login 7`,
    String.raw`select "tutor_id" as "tutorId" from "logins" where "token_hash" = :login \gset`,
    'BEGIN;',
    'select :c0::text, x from y where t = :tutorId and d = any(:c1::date[]) and n is not distinct from null;',
    '',
  ]);
  expect(script.constants).toEqual({ c0: 'a b', c1: '{"2026-11-16",NULL}' });
});

test('replaces parameters that differ from run to run', () => {
  const script = toPgbenchScript([{ text: 'select $1, $2', values: [16, [new Date(0)]] }], {
    preamble: [],
    tutorId,
    tokenHash,
    replace: (value, constant) =>
      value === 16 ? ':lesson' : `shift(${constant(encodeParameter(value) ?? '')})`,
  });
  expect(script.text).toBe('select :lesson, shift(:c0);\n');
  expect(script.constants).toEqual({ c0: '{"1970-01-01T00:00:00.000Z"}' });
});

test('encodes parameters in PostgreSQL text format', () => {
  expect(encodeParameter(Buffer.from([1, 255]))).toBe(String.raw`\x01ff`);
  expect(encodeParameter(['a"b', String.raw`c\d`])).toBe(String.raw`{"a\"b","c\\d"}`);
  expect(encodeParameter(false)).toBe('false');
  expect(encodeParameter(undefined)).toBeNull();
});

test('ignores the first second of a pgbench run', () => {
  const line = (second: number, rate: number) =>
    `progress: ${second}.0 s, ${rate}.0 tps, lat 1.0 ms stddev 0.1, 0 failed\n`;
  expect(parseRate(line(1, 10) + line(2, 100) + line(3, 200))).toBe(150);
  expect(() => parseRate('')).toThrow(/no rate/);
});
