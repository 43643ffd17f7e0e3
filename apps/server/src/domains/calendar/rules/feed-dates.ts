import { plusDays, plusMonths } from '@lessonbook/contract/dates';

const DAYS_BACK = 90;
/** Series have rows for a year; a single lesson may be further off. */
const MONTHS_AHEAD = 24;

/** The dates that the feed shows. */
export const feedDates = (today: string): { from: string; to: string } => ({
  from: plusDays(today, -DAYS_BACK),
  to: plusMonths(today, MONTHS_AHEAD),
});
