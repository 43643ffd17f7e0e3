import type { ParsedTime, ParsedTimeRange } from './parse-time.ts';

/* Resolves parsed times to minutes past midnight, so that they can be compared. */

const NOON = 12 * 60;

const toMinutes = ({ hour, minute }: ParsedTime, meridiem: 'am' | 'pm'): number =>
  (hour % 12) * 60 + minute + (meridiem === 'pm' ? NOON : 0);

/** An hour from 1 to 7 without am or pm is assumed to be in the afternoon, when most lessons take place. */
const isAssumedAfternoon = ({ hour, meridiem, is24Hour }: ParsedTime): boolean =>
  meridiem === null && !is24Hour && hour >= 1 && hour <= 7;

const defaultMinutes = (time: ParsedTime): number => {
  if (time.meridiem) return toMinutes(time, time.meridiem);
  return isAssumedAfternoon(time) ? toMinutes(time, 'pm') : time.hour * 60 + time.minute;
};

const OTHER_MERIDIEM = { am: 'pm', pm: 'am' } as const;

export interface ClockTimes {
  start: string;
  /** Null if no end was given or if it is not after the start. */
  end: string | null;
  /** The hour that was assumed to be in the afternoon. */
  assumedHour: string | null;
}

export function resolveTimes({ start, end }: ParsedTimeRange): ClockTimes {
  const from = resolveStartMinutes(start, end);
  const to = end && resolveEndMinutes(end, start, from);
  const isAssumed = isAssumedAfternoon(start) && !(end && isUnambiguous(end));
  return {
    start: formatClock(from),
    end: to !== null && to > from ? formatClock(to) : null,
    assumedHour: isAssumed ? formatHour(start) : null,
  };
}

const isUnambiguous = ({ meridiem, is24Hour }: ParsedTime): boolean =>
  meridiem !== null || is24Hour;

/** '4-5pm': the start takes am or pm from the end, unless that would put it after the end. */
function resolveStartMinutes(start: ParsedTime, end: ParsedTime | null): number {
  if (start.meridiem || start.is24Hour || !end || !isUnambiguous(end)) return defaultMinutes(start);
  const latest = defaultMinutes(end);
  const meridiem = end.meridiem ?? (latest >= NOON ? 'pm' : 'am');
  const sameMeridiem = toMinutes(start, meridiem);
  return sameMeridiem < latest ? sameMeridiem : toMinutes(start, OTHER_MERIDIEM[meridiem]);
}

/** '4pm-5' and '7-8': the end is the first matching hour after the start. */
function resolveEndMinutes(end: ParsedTime, start: ParsedTime, from: number): number {
  if (isUnambiguous(end)) return defaultMinutes(end);
  const morning = toMinutes(end, 'am');
  const earliest = start.is24Hour ? end.hour * 60 + end.minute : morning;
  return earliest > from ? earliest : toMinutes(end, 'pm');
}

const formatHour = ({ hour, minute }: ParsedTime): string =>
  minute === 0 ? String(hour) : `${hour}:${String(minute).padStart(2, '0')}`;

export const formatClock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
