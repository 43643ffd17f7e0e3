import { addDays } from '@lessonbook/contract/time';

/** A browser with which nobody has logged in for a year is a stranger again. */
const TRUST_DAYS = 365;
export const deviceExpiry = (now: Date): Date => addDays(now, TRUST_DAYS);

/** A few people may share a browser, and whoever tries the demo does so beside their own book. */
const MAX_DEVICES = 4;

/** As it stands in the cookie: the name, which begins with the instant, and a signature that binds it to the account. */
export interface SignedDevice {
  readonly id: string;
  readonly signature: string;
}

export const createDeviceId = (now: Date, random: string): string =>
  `${now.getTime().toString(36)}-${random}`;

const trustedAt = (id: string): Date => new Date(Number.parseInt(id.split('-')[0] ?? '', 36));

/** Not for ever, and not if it was met before the account made strangers of all. */
export function isDeviceTrusted(id: string, since: Date | null, now: Date): boolean {
  const met = trustedAt(id);
  return deviceExpiry(met) > now && met <= now && (since === null || met >= since);
}

export const parseDeviceCookie = (cookie: string): SignedDevice[] =>
  cookie
    .split('~')
    .slice(0, MAX_DEVICES)
    .flatMap((entry) => {
      const [, id, signature] = /^([\da-z]+-[\w-]+)\.([\w-]{43})$/.exec(entry) ?? [];
      return id && signature ? [{ id, signature }] : [];
    });

/** The newest first; the oldest falls out. */
export const serializeDeviceCookie = (devices: readonly SignedDevice[]): string =>
  devices
    .slice(0, MAX_DEVICES)
    .map(({ id, signature }) => `${id}.${signature}`)
    .join('~');
