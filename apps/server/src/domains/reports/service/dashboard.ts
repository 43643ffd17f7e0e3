import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { type Dashboard, HOME_LIST_CAP } from '@lessonbook/contract/reports';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { asSessionRow, sessionsDue } from '../../lessons/service/session-rows.ts';
import {
  type DayTotal,
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
  const [[tutor], coming, due, unpaid, days] = await db.readTutor(tutorId, (tx) => [
    tutorWithCounts(tx, tutorId, now),
    upcoming(tx, tutorId, now, HOME_LIST_CAP),
    sessionsDue(tx, tutorId, now, HOME_LIST_CAP),
    unpaidFamilies(tx, tutorId, HOME_LIST_CAP),
    dayTotals(tx, tutorId, around.monday, around.sunday),
  ]);
  if (!tutor) throw new AppError('unauthenticated', 'Please log in to continue.');
  const today = dateIn(tutor.timeZone, now);
  return {
    today,
    todayCount: countOf(days.filter((day) => day.date === today)),
    upcoming: coming.map(asSessionRow),
    incomplete: due.map(asSessionRow),
    incompleteCount: tutor.due,
    unpaid: unpaid.map(({ lessons, owed, familyName, ...row }) => ({
      session: asSessionRow(row),
      familyName: familyName ?? row.studentName,
      more: lessons - 1,
      outstanding: owed,
    })),
    unpaidCount: tutor.unpaid,
    week: weekOf(today, days),
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

function weekOf(today: string, days: readonly DayTotal[]): Dashboard['week'] {
  const monday = mondayOf(today);
  const sunday = plusDays(monday, 6);
  const week = days.filter((day) => day.date >= monday && day.date <= sunday);
  const worth = (currency: string, status: string) =>
    week
      .filter((day) => day.currency === currency && day.status === status)
      .reduce((sum, day) => sum + (day.worth ?? 0), 0);
  const currencies = [...new Set(week.map((day) => day.currency))].toSorted();
  return {
    taught: countOf(week.filter((day) => day.status === 'completed')),
    total: countOf(week),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      taught: worth(currency, 'completed'),
      toCome: worth(currency, 'scheduled'),
    })),
  };
}
