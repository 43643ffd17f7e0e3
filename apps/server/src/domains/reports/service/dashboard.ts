import { DASHBOARD_LIST_LIMIT, type Dashboard } from '@lessonbook/contract/dashboard';
import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sessionsDue, toSessionRow } from '../../lessons/service/read.ts';
import {
  type DayReceipt,
  type DayTotal,
  dayReceipts,
  dayTotals,
  reportedTransfers,
  tutorWithCounts,
  unpaidFamilies,
  upcomingSessions,
} from '../queries/dashboard.ts';

/** Reads everything the home screen needs in a single round trip. */
export async function readDashboard(context: Context, tutorId: string): Promise<Dashboard> {
  const { db, clock } = context;
  const now = clock.now();
  const { monday, sunday } = weekBoundsInAnyZone(now);
  const [[tutor], upcoming, due, unpaid, days, receipts, transfers] = await db.tutorRead(
    tutorId,
    (tx) => [
      tutorWithCounts(tx, tutorId, now),
      upcomingSessions(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      sessionsDue(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      unpaidFamilies(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      dayTotals(tx, tutorId, monday, sunday),
      dayReceipts(tx, tutorId, monday, sunday),
      reportedTransfers(tx, tutorId),
    ],
  );
  if (!tutor) throw new AppError('unauthenticated', 'Please log in to continue.');
  const today = dateInZone(tutor.timeZone, now);
  return {
    today,
    todayCount: sumCounts(days.filter((day) => day.date === today)),
    upcoming: upcoming.map(toSessionRow),
    incomplete: due.map(toSessionRow),
    incompleteCount: tutor.dueCount,
    unpaid: unpaid.map(({ lessonCount, owed, familyId, familyName, ...row }) => ({
      session: toSessionRow(row),
      familyId,
      familyName,
      otherLessons: lessonCount - 1,
      outstanding: owed,
    })),
    unpaidCount: tutor.unpaidCount,
    transferClaims: transfers.map(({ claimedAt, ...transfer }) => ({
      ...transfer,
      currency: transfer.currency as Currency,
      claimedOn: dateInZone(tutor.timeZone, claimedAt),
    })),
    week: summarizeWeek(today, days, receipts),
  };
}

/**
 * Returns dates that cover the current week in every time zone: local time is always within a day of UTC. This
 * reads at most one extra week and saves a query for the tutor's time zone.
 */
function weekBoundsInAnyZone(now: Date): { monday: string; sunday: string } {
  const day = dateInZone('UTC', now);
  return {
    monday: startOfWeek(addDaysToDate(day, -1)),
    sunday: addDaysToDate(startOfWeek(addDaysToDate(day, 1)), 6),
  };
}

const sumCounts = (totals: readonly DayTotal[]): number =>
  totals.reduce((sum, total) => sum + total.count, 0);

function summarizeWeek(
  today: string,
  days: readonly DayTotal[],
  receipts: readonly DayReceipt[],
): Dashboard['week'] {
  const monday = startOfWeek(today);
  const sunday = addDaysToDate(monday, 6);
  const isInWeek = (day: { date: string }) => day.date >= monday && day.date <= sunday;
  const week = days.filter(isInWeek);
  const weekReceipts = receipts.filter(isInWeek);
  const sumFees = (currency: string, status: string) =>
    week
      .filter((day) => day.currency === currency && day.status === status)
      .reduce((sum, day) => sum + (day.fees ?? 0), 0);
  const currencies = [...new Set([...week, ...weekReceipts].map((day) => day.currency))].toSorted();
  return {
    completed: sumCounts(week.filter((day) => day.status === 'completed')),
    total: sumCounts(week),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      completedFees: sumFees(currency, 'completed'),
      scheduledFees: sumFees(currency, 'scheduled'),
      received: weekReceipts
        .filter((day) => day.currency === currency)
        .reduce((sum, day) => sum + day.received, 0),
    })),
  };
}
