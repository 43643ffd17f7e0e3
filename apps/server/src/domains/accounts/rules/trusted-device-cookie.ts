import { add24HourDays } from '@lessonbook/contract/time';

/** Counted from the last login in that browser. */
const TRUST_DAYS = 365;
export const deviceExpiry = (now: Date): Date => add24HourDays(now, TRUST_DAYS);

/** Several tutors may share a browser, and a tutor may also try the demo account. */
const MAX_DEVICES = 4;

/** A device as stored in the cookie. The id starts with a timestamp; the signature ties it to the account. */
export interface SignedDevice {
  readonly id: string;
  readonly signature: string;
}

export const createDeviceId = (now: Date, random: string): string =>
  `${now.getTime().toString(36)}-${random}`;

const trustedAt = (id: string): Date => new Date(Number.parseInt(id.split('-')[0] ?? '', 36));

/** `validAfter`: devices trusted before this time are no longer valid, for example after a password change. */
export function isDeviceTrusted(id: string, validAfter: Date | null, now: Date): boolean {
  const at = trustedAt(id);
  return deviceExpiry(at) > now && at <= now && (validAfter === null || at >= validAfter);
}

export const parseDeviceCookie = (cookie: string): SignedDevice[] =>
  cookie
    .split('~')
    .slice(0, MAX_DEVICES)
    .flatMap((entry) => {
      const [, id, signature] = /^([\da-z]+-[\w-]+)\.([\w-]{43})$/.exec(entry) ?? [];
      return id && signature ? [{ id, signature }] : [];
    });

/** Newest first; devices beyond the limit are dropped. */
export const serializeDeviceCookie = (devices: readonly SignedDevice[]): string =>
  devices
    .slice(0, MAX_DEVICES)
    .map(({ id, signature }) => `${id}.${signature}`)
    .join('~');
