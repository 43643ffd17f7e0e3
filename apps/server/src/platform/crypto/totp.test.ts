import { expect, test } from 'vitest';
import {
  findTotpCounter,
  generateRecoveryCode,
  generateTotpSecret,
  normalizeRecoveryCode,
  totpUri,
} from './totp.ts';

/** The secret and a value of RFC 6238's own table, cut to six digits: at 1111111109 s the code is 081804. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const THEN = new Date(1_111_111_109_000);
const COUNTER = 37_037_036;

test.each([
  ['now', 0, COUNTER],
  ['half a minute later', 30, COUNTER],
  ['half a minute earlier', -30, COUNTER],
  ['a minute later', 60, null],
  ['a minute earlier', -60, null],
])('the code of the standard, %s', (_, seconds, step) => {
  const now = new Date(THEN.getTime() + seconds * 1000);
  expect(findTotpCounter(SECRET, '081804', now)).toBe(step);
});

test.each(['', '0', '81804', '0818040', '08180a', '٠٨١٨٠٤', '+81804', ' 081804'])(
  '%j is no code',
  (code) => expect(findTotpCounter(SECRET, code, THEN)).toBeNull(),
);

test('a secret has 160 bits, and the app reads it with the name of the account', () => {
  const secret = generateTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, 'ada+maths@example.com'));
  expect(uri.searchParams.get('secret')).toBe(secret);
  expect(uri.searchParams.get('issuer')).toBe('Lessonbook');
  expect(decodeURIComponent(uri.pathname)).toContain('ada+maths@example.com');
});

test('recovery codes are read however they are typed, and only those', () => {
  const code = generateRecoveryCode();
  const plain = code.replaceAll('-', '');
  for (const typed of [code, plain, code.toUpperCase(), ` ${code.replaceAll('-', ' ')} `])
    expect(normalizeRecoveryCode(typed)).toBe(plain);
  for (const typed of ['', '----', plain.slice(1), `${plain}a`, plain.replace(/./, 'l'), '081804'])
    expect(normalizeRecoveryCode(typed)).toBeNull();
});
