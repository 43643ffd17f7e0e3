/**
 * Dates are `yyyy-MM-dd` text, times are `HH:mm` text, and zones are IANA names. All conversions from instants
 * to local dates are in this file.
 */

import { memoize } from './memoize.ts';

const DAY_MS = 86_400_000;

/** Used when the browser does not send a known zone. */
export const DEFAULT_TIME_ZONE = 'Europe/London';

export function isTimeZone(name: string): boolean {
  // Intl accepts offsets such as '+01:00', but they have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const dateFormatFor = memoize(
  (timeZone) =>
    new Intl.DateTimeFormat('en-GB', {
      timeZone,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    }),
);

export function dateInZone(timeZone: string, instant: Date): string {
  const parts = dateFormatFor(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Adds days of exactly 24 hours, so the local time differs after a clock change. */
export function add24HourDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/** For the browser only; the server uses the clock in its context. */
export const systemNow = (): Date => new Date();

export const fromEpochMs = (epochMilliseconds: number): Date => new Date(epochMilliseconds);

export const minutesBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / 60_000);
