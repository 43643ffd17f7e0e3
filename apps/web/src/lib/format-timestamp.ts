import { memoize } from '@lessonbook/contract/memoize';
import { dateInZone } from '@lessonbook/contract/time';
import { formatRelativeDate } from './format.ts';

/** The tutor's time zone and the current date there. */
export interface DateContext {
  timeZone: string;
  today: string;
}

/** The date in the tutor's time zone. */
export const toLocalDate = (timestamp: string, { timeZone }: DateContext): string =>
  dateInZone(timeZone, new Date(timestamp));

const timeFormat = memoize(
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
);

/** '16:05' */
export const formatTimeAt = (timestamp: string, { timeZone }: DateContext): string =>
  timeFormat(timeZone).format(new Date(timestamp));

/** '16:05' for today, otherwise 'yesterday 16:05' or 'Tue 17 Nov 16:05'. */
export function formatTimestamp(timestamp: string, dateContext: DateContext): string {
  const date = toLocalDate(timestamp, dateContext);
  const time = formatTimeAt(timestamp, dateContext);
  return date === dateContext.today
    ? time
    : `${formatRelativeDate(date, dateContext.today)} ${time}`;
}
