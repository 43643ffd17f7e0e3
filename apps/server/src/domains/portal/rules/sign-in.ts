import { CODE_DIGITS } from '@lessonbook/contract/portal';
import { addDaysToInstant } from '@lessonbook/contract/time';
import { deriveToken, sha256 } from '../../../platform/crypto/tokens.ts';

export const CODE_MINUTES = 10;
export const CODE_ATTEMPTS = 5;
export const IDLE_DAYS = 30;
/** The browser deletes the cookie when it is closed; this ends logins in browsers that restore their cookies. */
const SHARED_DEVICE_DAYS = 0.5;

/** As the trigger of `contacts` computes it. */
export const hashAddress = (email: string): Buffer => sha256(email.trim().toLowerCase());

export const codeExpiry = (now: Date): Date => new Date(now.getTime() + CODE_MINUTES * 60_000);

/** The same for each attempt to send the email; it cannot be derived from the database without the key. */
export function deriveCode(key: Buffer, codeId: string): string {
  const digest = Buffer.from(deriveToken(key, 'portal-code', codeId), 'base64url');
  // 48 bits make the remainder practically uniform.
  return String(digest.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');
}

export const portalLoginExpiry = (isSharedDevice: boolean, now: Date): Date =>
  addDaysToInstant(now, isSharedDevice ? SHARED_DEVICE_DAYS : IDLE_DAYS);

const LAST_SEEN_INTERVAL_MS = 600_000;

/** Limits updates of `last_seen_at` to one in ten minutes. */
export const isLastSeenStale = (lastSeenAt: Date, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() > LAST_SEEN_INTERVAL_MS;
