import { CODE_DIGITS } from '@lessonbook/contract/portal';
import { add24HourDays } from '@lessonbook/contract/time';

export const CODE_MINUTES = 10;
export const CODE_ATTEMPTS = 5;
export const IDLE_DAYS = 30;
/** The browser deletes the cookie when it is closed; this limit is for browsers that restore their cookies. */
const SHARED_DEVICE_DAYS = 0.5;

export const codeExpiresAt = (now: Date): Date => new Date(now.getTime() + CODE_MINUTES * 60_000);

/** Makes a code from a derived secret. 48 bits make the remainder practically uniform. */
export const toCode = (secret: Buffer): string =>
  String(secret.readUIntBE(0, 6) % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, '0');

export const portalLoginExpiry = (isSharedDevice: boolean, now: Date): Date =>
  add24HourDays(now, isSharedDevice ? SHARED_DEVICE_DAYS : IDLE_DAYS);

/** The kind of address that a login has verified. An email address contains an @; a phone number does not. */
export type AddressKind = 'email' | 'phone';

export const addressKind = (address: string): AddressKind =>
  address.includes('@') ? 'email' : 'phone';

/** The demo account and accounts without a confirmed email address cannot cause WhatsApp messages, which cost money. */
export const maySendWhatsApp = (tutor: { emailVerified: boolean; isDemo: boolean }): boolean =>
  tutor.emailVerified && !tutor.isDemo;

const LAST_SEEN_INTERVAL_MS = 600_000;

/** Limits updates of `last_seen_at` to one in ten minutes. */
export const isLastSeenStale = (lastSeenAt: Date, now: Date): boolean =>
  now.getTime() - lastSeenAt.getTime() > LAST_SEEN_INTERVAL_MS;
