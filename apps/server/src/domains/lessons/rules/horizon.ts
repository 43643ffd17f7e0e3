import { plusDays, plusMonths } from '@lessonbook/contract/dates';

const HORIZON_MONTHS = 12;

/** Sessions exist as rows up to this day. */
export const horizonOf = (today: string): string => plusMonths(today, HORIZON_MONTHS);

/** The last day for which a lesson has rows: its end, or the horizon if it goes on beyond. */
export const lastDay = (endDate: string | null, horizon: string): string =>
  endDate !== null && endDate < horizon ? endDate : horizon;

/** Never later than it ended already. */
export function endedBefore<T extends { endDate: string | null; materialisedTo: string }>(
  lesson: T,
  place: string,
): T {
  const ends = plusDays(place, -1);
  return {
    ...lesson,
    endDate: lesson.endDate !== null && lesson.endDate < ends ? lesson.endDate : ends,
    materialisedTo: lesson.materialisedTo < ends ? lesson.materialisedTo : ends,
  };
}
