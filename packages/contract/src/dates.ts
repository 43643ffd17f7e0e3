/** Arithmetic on dates (`yyyy-MM-dd`) and times (`HH:mm`) held as text, independent of instants and time zones. */

const DAY_MS = 86_400_000;

/** Represents "from the start" where a row must have a date. */
export const EARLIEST_DATE = '1900-01-01';

/** Whether the date exists; 2026-02-30 does not. */
export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return year >= 1970 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

export const isTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const DEFAULT_DURATION_MINUTES = 60;

/** 990 for '16:30' */
export const minuteOfDay = (time: string): number =>
  Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** Minutes from start to end in local time. */
export function durationMinutes(
  start: string | null | undefined,
  end: string | null | undefined,
): number {
  if (!start || !end) return DEFAULT_DURATION_MINUTES;
  return minuteOfDay(end) - minuteOfDay(start);
}

/* Dates are converted to days since 1970-01-01, so clock changes do not affect them. */

export function dayNumber(date: string): number {
  return (
    Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) /
    DAY_MS
  );
}

export const dateFromDayNumber = (day: number): string =>
  new Date(day * DAY_MS).toISOString().slice(0, 10);

export const addDaysToDate = (date: string, days: number): string =>
  dateFromDayNumber(dayNumber(date) + days);

/** Monday is 1 and Sunday is 7. */
export const weekday = (date: string): number => ((dayNumber(date) + 3) % 7) + 1;

export const startOfWeek = (date: string): string => addDaysToDate(date, 1 - weekday(date));

export function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** The same day of the month, `months` later, or the last day of a shorter month. */
export function addMonthsToDate(date: string, months: number): string {
  const [year, month, day] = [
    Number(date.slice(0, 4)),
    Number(date.slice(5, 7)),
    Number(date.slice(8, 10)),
  ];
  const total = year * 12 + (month - 1) + months;
  const [newYear, newMonth] = [Math.floor(total / 12), (total % 12) + 1];
  const newDay = Math.min(day, daysInMonth(newYear, newMonth));
  return `${String(newYear).padStart(4, '0')}-${String(newMonth).padStart(2, '0')}-${String(newDay).padStart(2, '0')}`;
}
