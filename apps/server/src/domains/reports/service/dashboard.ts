import { DASHBOARD_LIST_LIMIT, type Dashboard } from '@lessonbook/contract/dashboard';
import { plusDays, startOfWeek } from '@lessonbook/contract/dates';
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
  const [[tutor], upcoming, due, unpaid, days, received, transfers] = await db.tutorRead(
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
    incompleteCount: tutor.due,
    unpaid: unpaid.map(({ lessons, owed, familyId, familyName, ...row }) => ({
      session: toSessionRow(row),
      familyId,
      familyName,
      more: lessons - 1,
      outstanding: owed,
    })),
    unpaidCount: tutor.unpaid,
    claims: transfers.map(({ claimedAt, ...claim }) => ({
      ...claim,
      currency: claim.currency as Currency,
      on: dateInZone(tutor.timeZone, claimedAt),
    })),
    week: summarizeWeek(today, days, received),
  };
}

/**
 * Returns dates that cover the current week in every time zone: local time is always less than a day from UTC. This
 * reads at most one extra week and saves a query for the tutor's time zone.
 */
function weekBoundsInAnyZone(now: Date): { monday: string; sunday: string } {
  const day = dateInZone('UTC', now);
  return {
    monday: startOfWeek(plusDays(day, -1)),
    sunday: plusDays(startOfWeek(plusDays(day, 1)), 6),
  };
}

const sumCounts = (totals: readonly DayTotal[]): number =>
  totals.reduce((sum, total) => sum + total.count, 0);

function summarizeWeek(
  today: string,
  days: readonly DayTotal[],
  received: readonly DayReceipt[],
): Dashboard['week'] {
  const monday = startOfWeek(today);
  const sunday = plusDays(monday, 6);
  const inWeek = (day: { date: string }) => day.date >= monday && day.date <= sunday;
  const week = days.filter(inWeek);
  const money = received.filter(inWeek);
  const feesOf = (currency: string, status: string) =>
    week
      .filter((day) => day.currency === currency && day.status === status)
      .reduce((sum, day) => sum + (day.fees ?? 0), 0);
  const currencies = [...new Set([...week, ...money].map((day) => day.currency))].toSorted();
  return {
    taught: sumCounts(week.filter((day) => day.status === 'completed')),
    total: sumCounts(week),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      taught: feesOf(currency, 'completed'),
      toCome: feesOf(currency, 'scheduled'),
      received: money
        .filter((day) => day.currency === currency)
        .reduce((sum, day) => sum + day.received, 0),
    })),
  };
}
