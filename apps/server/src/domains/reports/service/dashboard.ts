import type { Dashboard } from '@lessonbook/contract/dashboard';
import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { loginRequired } from '../../../platform/app-error.ts';
import { toSessionRow, toSessionRows } from '../../lessons/service/read.ts';
import {
  type DayTotal,
  dayTotals,
  type ListedSessionRow,
  listedSessions,
  tutorWithReportedTransfers,
} from '../queries/dashboard.ts';

/** Reads everything the home screen needs in a single round trip. */
export async function readDashboard(context: Context, tutorId: string): Promise<Dashboard> {
  const { db, clock } = context;
  const now = clock.now();
  const { monday, sunday } = weekBoundsInAnyZone(now);
  const [tutorRows, listed, days] = await db.tutorRead(tutorId, (tx) => [
    tutorWithReportedTransfers(tx, tutorId),
    listedSessions(tx, tutorId, now),
    dayTotals(tx, tutorId, monday, sunday),
  ]);
  const [tutor] = tutorRows;
  if (!tutor) throw loginRequired();
  const today = dateInZone(tutor.timeZone, now);
  const rowsIn = (list: ListedSessionRow['list']) => listed.filter((row) => row.list === list);
  const incomplete = rowsIn('incomplete');
  const unpaid = rowsIn('unpaid');
  return {
    today,
    todayCount: sumCounts(days.filter((day) => day.date === today)),
    upcoming: toSessionRows(rowsIn('upcoming')),
    incomplete: toSessionRows(incomplete),
    incompleteCount: incomplete[0]?.listSize ?? 0,
    unpaid: unpaid.map((row) => ({
      session: toSessionRow([row]),
      familyId: row.familyId as number,
      familyName: row.payer?.familyName ?? '',
      studentNames: row.payer?.studentNames ?? [],
      otherLessons: (row.lessonCount as number) - 1,
      outstanding: row.owed as number,
      overdue: row.payer?.overdue ?? 0,
    })),
    unpaidCount: unpaid[0]?.listSize ?? 0,
    transferClaims: tutorRows
      .filter((row) => row.familyId !== null)
      .map((row) => ({
        familyId: row.familyId as number,
        familyName: row.familyName as string,
        currency: row.currency as Currency,
        amount: row.amount as number,
        claimedOn: dateInZone(row.timeZone, row.claimedAt as Date),
      })),
    week: summarizeWeek(today, days),
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

function summarizeWeek(today: string, days: readonly DayTotal[]): Dashboard['week'] {
  const monday = startOfWeek(today);
  const sunday = addDaysToDate(monday, 6);
  const week = days.filter((day) => day.date >= monday && day.date <= sunday);
  const sumAmounts = (currency: string, kind: DayTotal['kind']) =>
    week
      .filter((day) => day.currency === currency && day.kind === kind)
      .reduce((sum, day) => sum + (day.amount ?? 0), 0);
  const currencies = [...new Set(week.map((day) => day.currency))].toSorted();
  return {
    completed: sumCounts(week.filter((day) => day.kind === 'completed')),
    total: sumCounts(week),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      completedFees: sumAmounts(currency, 'completed'),
      scheduledFees: sumAmounts(currency, 'scheduled'),
      received: sumAmounts(currency, 'received'),
    })),
  };
}
