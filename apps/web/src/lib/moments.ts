import { madeOnce } from '@lessonbook/contract/made-once';
import { dateIn } from '@lessonbook/contract/time';
import { nearDate } from './format.ts';

/** Where a moment is looked at from: the tutor's zone, and the date it is there. */
export interface Wall {
  timeZone: string;
  today: string;
}

/** The date of a moment on the tutor's wall. */
export const dateAt = (moment: string, { timeZone }: Wall): string =>
  dateIn(timeZone, new Date(moment));

const clockIn = madeOnce(
  (timeZone) => new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }),
);

/** '16:05' */
export const clockAt = (moment: string, { timeZone }: Wall): string =>
  clockIn(timeZone).format(new Date(moment));

/** '16:05' for today, else 'yesterday 16:05' and 'Tue 17 Nov 16:05'. */
export function momentInWords(moment: string, wall: Wall): string {
  const date = dateAt(moment, wall);
  const clock = clockAt(moment, wall);
  return date === wall.today ? clock : `${nearDate(date, wall.today)} ${clock}`;
}
