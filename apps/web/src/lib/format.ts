/** Calendar dates are `yyyy-MM-dd` text; they are formatted in UTC, so that no zone can move a day. */
function utcTime(date: string): number {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return Date.UTC(year, month - 1, day);
}

function formatter(options: Intl.DateTimeFormatOptions): (date: string) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
  return (date) => format.format(utcTime(date));
}

const monthName = formatter({ month: 'long' });

/** 'Saturday' */
export const weekday = formatter({ weekday: 'long' });

/** 'Saturday, 14 November 2026'. Put together by hand: browsers differ in the comma. */
export const longDate = (date: string): string =>
  `${weekday(date)}, ${Number(date.slice(8))} ${monthName(date)} ${date.slice(0, 4)}`;

/** 'November 14' */
export const monthDay = (date: string): string => `${monthName(date)} ${Number(date.slice(8))}`;

export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? '';

/** 'AF' for Ada Fenwick; at most two letters. */
export const initials = (name: string): string =>
  name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
