import { addDaysToDate } from '@lessonbook/contract/dates';

const REMINDERS = 3;
const DAYS_OVERDUE = 60;

/** The number of days on which the payer was sent a payment reminder since the debt became overdue. */
export const countReminders = (
  reminderDates: readonly string[],
  overdueSince: string | null,
): number =>
  overdueSince === null ? 0 : new Set(reminderDates.filter((date) => date >= overdueSince)).size;

/** Whether more reminders are unlikely to help: three have been sent, or the debt has been overdue for 60 days. */
export const isInArrears = (
  overdueSince: string | null,
  reminderCount: number,
  today: string,
): boolean =>
  overdueSince !== null &&
  (reminderCount >= REMINDERS || addDaysToDate(overdueSince, DAYS_OVERDUE) <= today);
