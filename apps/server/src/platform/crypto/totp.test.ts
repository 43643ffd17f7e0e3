import { expect, test } from 'vitest';
import { findTotpCounter, generateTotpSecret, totpUri } from './totp.ts';

/** From the table in RFC 6238, truncated to six digits: the code at 1111111109 s is 081804. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const THEN = new Date(1_111_111_109_000);
const COUNTER = 37_037_036;

test.each([
  ['now', 0, COUNTER],
  ['half a minute later', 30, COUNTER],
  ['half a minute earlier', -30, COUNTER],
  ['a minute later', 60, null],
  ['a minute earlier', -60, null],
])('accepts the RFC 6238 code only up to one time step away: %s', (_, seconds, counter) => {
  const now = new Date(THEN.getTime() + seconds * 1000);
  expect(findTotpCounter(SECRET, '081804', now)).toBe(counter);
});

test.each(['', '0', '81804', '0818040', '08180a', '٠٨١٨٠٤', '+81804', ' 081804'])(
  '%j is not a code',
  (code) => expect(findTotpCounter(SECRET, code, THEN)).toBeNull(),
);

test('a secret has 160 bits, and its URI includes the account name', () => {
  const secret = generateTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(generateTotpSecret()).not.toBe(secret);
  const uri = new URL(totpUri(secret, 'ada+maths@example.com'));
  expect(uri.searchParams.get('secret')).toBe(secret);
  expect(uri.searchParams.get('issuer')).toBe('Lessonbook');
  expect(decodeURIComponent(uri.pathname)).toContain('ada+maths@example.com');
});
