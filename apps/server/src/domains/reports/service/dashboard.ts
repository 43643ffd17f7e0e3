import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { type Dashboard, HOME_LIST_CAP } from '@lessonbook/contract/reports';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { asSessionRow, sessionsDue } from '../../lessons/service/session-rows.ts';
import {
  claims,
  type DayReceived,
  type DayTotal,
  dayReceived,
  dayTotals,
  tutorWithCounts,
  unpaidFamilies,
  upcoming,
} from '../queries/dashboard.ts';

/** Everything the home screen shows, read in one look. */
export async function readDashboard(context: Context, tutorId: string): Promise<Dashboard> {
  const { db, clock } = context;
  const now = clock.now();
  const around = weeksAround(now);
  const [[tutor], coming, due, unpaid, days, received, claimed] = await db.readTutor(
    tutorId,
    (tx) => [
      tutorWithCounts(tx, tutorId, now),
      upcoming(tx, tutorId, now, HOME_LIST_CAP),
      sessionsDue(tx, tutorId, now, HOME_LIST_CAP),
      unpaidFamilies(tx, tutorId, now, HOME_LIST_CAP),
      dayTotals(tx, tutorId, around.monday, around.sunday),
      dayReceived(tx, tutorId, around.monday, around.sunday),
      claims(tx, tutorId),
    ],
  );
  if (!tutor) throw new AppError('unauthenticated', 'Please log in to continue.');
  const today = dateIn(tutor.timeZone, now);
  return {
    today,
    todayCount: countOf(days.filter((day) => day.date === today)),
    upcoming: coming.map(asSessionRow),
    incomplete: due.map(asSessionRow),
    incompleteCount: tutor.due,
    unpaid: unpaid.map(({ lessons, owed, familyId, familyName, ...row }) => ({
      session: asSessionRow(row),
      familyId,
      familyName,
      more: lessons - 1,
      outstanding: owed,
    })),
    unpaidCount: tutor.unpaid,
    claims: claimed.map(({ claimedAt, ...claim }) => ({
      ...claim,
      currency: claim.currency as Currency,
      on: dateIn(tutor.timeZone, claimedAt),
    })),
    week: weekOf(today, days, received),
  };
}

/**
 * The week of now, wherever the tutor is: no wall is a whole day away from UTC. It costs at most a second week, and saves
 * asking for the zone first.
 */
function weeksAround(now: Date): { monday: string; sunday: string } {
  const day = dateIn('UTC', now);
  return { monday: mondayOf(plusDays(day, -1)), sunday: plusDays(mondayOf(plusDays(day, 1)), 6) };
}

const countOf = (totals: readonly DayTotal[]): number =>
  totals.reduce((sum, total) => sum + total.count, 0);

function weekOf(
  today: string,
  days: readonly DayTotal[],
  received: readonly DayReceived[],
): Dashboard['week'] {
  const monday = mondayOf(today);
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
    taught: countOf(week.filter((day) => day.status === 'completed')),
    total: countOf(week),
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
