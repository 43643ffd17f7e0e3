import { plusDays, startOfWeek } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { DASHBOARD_LIST_LIMIT, type Dashboard } from '@lessonbook/contract/reports';
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

/** Everything the home screen shows, read in one look. */
export async function readDashboard(context: Context, tutorId: string): Promise<Dashboard> {
  const { db, clock } = context;
  const now = clock.now();
  const around = weeksAround(now);
  const [[tutor], coming, due, unpaid, days, received, claimed] = await db.tutorRead(
    tutorId,
    (tx) => [
      tutorWithCounts(tx, tutorId, now),
      upcomingSessions(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      sessionsDue(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      unpaidFamilies(tx, tutorId, now, DASHBOARD_LIST_LIMIT),
      dayTotals(tx, tutorId, around.monday, around.sunday),
      dayReceipts(tx, tutorId, around.monday, around.sunday),
      reportedTransfers(tx, tutorId),
    ],
  );
  if (!tutor) throw new AppError('unauthenticated', 'Please log in to continue.');
  const today = dateInZone(tutor.timeZone, now);
  return {
    today,
    todayCount: sumCounts(days.filter((day) => day.date === today)),
    upcoming: coming.map(toSessionRow),
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
    claims: claimed.map(({ claimedAt, ...claim }) => ({
      ...claim,
      currency: claim.currency as Currency,
      on: dateInZone(tutor.timeZone, claimedAt),
    })),
    week: summarizeWeek(today, days, received),
  };
}

/**
 * The week of now, wherever the tutor is: no wall is a whole day away from UTC. It costs at most a second week, and saves
 * asking for the zone first.
 */
function weeksAround(now: Date): { monday: string; sunday: string } {
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
  const worth = (currency: string, status: string) =>
    week
      .filter((day) => day.currency === currency && day.status === status)
      .reduce((sum, day) => sum + (day.worth ?? 0), 0);
  const all = [...week, ...money].map((day) => day.currency);
  const currencies = [...new Set(all)].toSorted();
  return {
    taught: sumCounts(week.filter((day) => day.status === 'completed')),
    total: sumCounts(week),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      taught: worth(currency, 'completed'),
      toCome: worth(currency, 'scheduled'),
      received: money
        .filter((day) => day.currency === currency)
        .reduce((sum, day) => sum + day.received, 0),
    })),
  };
}
