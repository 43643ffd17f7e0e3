import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import type { Currency } from '@lessonbook/contract/money';
import { type Dashboard, HOME_LIST_CAP } from '@lessonbook/contract/reports';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { readTimeZone } from '../../accounts/service/profile.ts';
import { asSessionRow, sessionsDue } from '../../lessons/service/session-rows.ts';
import {
  dueCount,
  todayCount,
  unpaidCount,
  unpaidFamilies,
  upcoming,
  weekTotals,
} from '../queries/dashboard.ts';

/** Everything the home screen shows, read in one look. */
export async function readDashboard(context: Context, tutorId: string): Promise<Dashboard> {
  const { db, clock } = context;
  const now = clock.now();
  const today = dateIn(await readTimeZone(context, tutorId), now);
  const monday = mondayOf(today);
  const [coming, due, [dueTotal], [todays], unpaid, [unpaidTotal], week] = await db.readTutor(
    tutorId,
    (tx) => [
      upcoming(tx, tutorId, now, HOME_LIST_CAP),
      sessionsDue(tx, tutorId, now, HOME_LIST_CAP),
      dueCount(tx, tutorId, now),
      todayCount(tx, tutorId, today),
      unpaidFamilies(tx, tutorId, HOME_LIST_CAP),
      unpaidCount(tx, tutorId),
      weekTotals(tx, tutorId, monday, plusDays(monday, 6)),
    ],
  );
  return {
    today,
    todayCount: todays?.count ?? 0,
    upcoming: coming.map(asSessionRow),
    incomplete: due.map(asSessionRow),
    incompleteCount: dueTotal?.count ?? 0,
    unpaid: unpaid.map(({ lessons, owed, familyName, ...row }) => ({
      session: asSessionRow(row),
      familyName: familyName ?? row.studentName,
      more: lessons - 1,
      outstanding: owed,
    })),
    unpaidCount: unpaidTotal?.count ?? 0,
    week: asWeek(week),
  };
}

function asWeek(
  totals: readonly { status: string; currency: string; count: number; worth: number | null }[],
): Dashboard['week'] {
  const taught = totals.filter((row) => row.status === 'completed');
  const count = (rows: typeof totals) => rows.reduce((sum, row) => sum + row.count, 0);
  const worth = (currency: string, status: string) =>
    totals.find((row) => row.currency === currency && row.status === status)?.worth ?? 0;
  const currencies = [...new Set(totals.map((row) => row.currency))].toSorted();
  return {
    taught: count(taught),
    total: count(totals),
    money: currencies.map((currency) => ({
      currency: currency as Currency,
      taught: worth(currency, 'completed'),
      toCome: worth(currency, 'scheduled'),
    })),
  };
}
