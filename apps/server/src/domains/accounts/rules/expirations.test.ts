import { expect, test } from 'vitest';
import { emailTokenExpiry, isLastSeenStale, loginExpiry } from './expirations.ts';

const at = (text: string) => new Date(text);

test('a login expires 30 days after its last use', () => {
  const expiry = loginExpiry(at('2026-01-01T10:00:00Z'), at('2026-02-01T10:00:00Z'));
  expect(expiry).toEqual(at('2026-03-03T10:00:00Z'));
});

test('[V7.3.2] a login never lasts longer than 180 days', () => {
  const expiry = loginExpiry(at('2026-01-01T10:00:00Z'), at('2026-06-25T10:00:00Z'));
  expect(expiry).toEqual(at('2026-06-30T10:00:00Z'));
});

test('last_seen_at is updated at most once an hour', () => {
  const seen = at('2026-01-01T10:00:00Z');
  expect(isLastSeenStale(seen, at('2026-01-01T11:00:00Z'))).toBe(false);
  expect(isLastSeenStale(seen, at('2026-01-01T11:00:01Z'))).toBe(true);
});

test('a reset token lasts one hour, a verification token three days', () => {
  const now = at('2026-01-01T10:00:00Z');
  expect(emailTokenExpiry('reset-password', now)).toEqual(at('2026-01-01T11:00:00Z'));
  expect(emailTokenExpiry('verify-email', now)).toEqual(at('2026-01-04T10:00:00Z'));
});
