/**
 * Dates are `yyyy-MM-dd` text, times `HH:MM` text, zones IANA names. This file owns every
 * conversion between an instant and what a tutor's wall shows.
 */

import { memoize } from './memoize.ts';

const DAY_MS = 86_400_000;

export const TRIAL_DAYS = 14;

/** The zone used when a browser names none that we know. */
export const DEFAULT_TIME_ZONE = 'Europe/London';

export function isTimeZone(name: string): boolean {
  // Offsets such as '+01:00' pass Intl's check but know no clock changes: a tutor has a place.
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

/** The date on the tutor's calendar at that instant. */
export function dateInZone(timeZone: string, instant: Date): string {
  const parts = dateFormatFor(timeZone).formatToParts(instant);
  const part = (type: string) => parts.find((p) => p.type === type)?.value ?? '';
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`;
}

/** Whole days of the trial that are left: 14 on the day of sign-up, 0 once it is over. */
export function trialDaysLeft(trialEndsAt: Date, now: Date): number {
  return Math.max(0, Math.ceil((trialEndsAt.getTime() - now.getTime()) / DAY_MS));
}

export function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS);
}

/** For a browser, where no clock is handed in; the server has its own, which tests turn. */
export const systemNow = (): Date => new Date();

export const fromEpochMs = (epochMilliseconds: number): Date => new Date(epochMilliseconds);

export const minutesBetween = (from: Date, to: Date): number =>
  Math.floor((to.getTime() - from.getTime()) / 60_000);
