import type { LessonDate } from '@lessonbook/contract/lesson-dates';
import { type LessonDetails, lessons } from '@lessonbook/contract/lessons';
import { rates } from '@lessonbook/contract/rates';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import { termCalendars } from '@lessonbook/contract/term-calendars';
import type { InsertedTutorFixture } from '../insert-tutor-fixture.ts';
import { daysAfter } from '../time-zones/zone-oracle.ts';
import {
  difference,
  sessionPageDifference,
  sessionRowDifference,
  calendarDifference as termCalendarDifference,
} from './compare-with-server.ts';
import {
  expectedSeats,
  hasEnded,
  type ModelSession,
  type ScheduleState,
} from './schedule-model.ts';

/** Compares the data shown on the screens: each lesson, the due sessions, the calendar, rates, school terms and some sessions. */
export async function screensDifference(
  state: ScheduleState,
  fixture: InsertedTutorFixture,
): Promise<string | null> {
  const { browser } = fixture;
  for (const { id } of state.lessons.filter((lesson) => !lesson.deleted)) {
    const { body } = await browser.call(lessons.lesson, { params: { id } });
    const mismatch = lessonPageDifference(state, id, body);
    if (mismatch) return mismatch;
  }
  const due = await browser.call(sessions.dueSessions);
  const dueIds = state.sessions
    .filter((row) => row.status === 'scheduled' && hasEnded(state, row))
    .map((row) => row.id);
  return (
    difference(toIdRecord(dueIds), toIdRecord(due.body.map(({ id }) => id)), 'due') ??
    rowsDifference(state, due.body) ??
    (await calendarDifference(state, fixture)) ??
    (await ratesDifference(state, fixture)) ??
    (await termsDifference(state, fixture)) ??
    sessionPagesDifference(state, fixture)
  );
}

export const checkLessonPage = (state: ScheduleState, lessonId: number) => (body: unknown) =>
  lessonPageDifference(state, lessonId, body as LessonDetails);

function lessonPageDifference(state: ScheduleState, id: number, page: LessonDetails) {
  const rows = state.sessions.filter((row) => row.lessonId === id);
  const datesWhere = (isUpcoming: boolean) =>
    Object.fromEntries(
      rows
        .filter((row) => (row.status === 'scheduled' && !hasEnded(state, row)) === isUpcoming)
        .map((row) => [row.id, `${row.date} ${row.start}–${row.end} ${row.status}`]),
    );
  const shownDates = (list: LessonDate[]) =>
    Object.fromEntries(
      list.map((row) => [row.id, `${row.date} ${row.startTime}–${row.endTime} ${row.status}`]),
    );
  return (
    difference(datesWhere(true), shownDates(page.upcoming), `lesson ${id}, upcoming`) ??
    difference(datesWhere(false), shownDates(page.past), `lesson ${id}, past`) ??
    difference(chargedByCurrency(rows), indexByCurrency(page.money), `lesson ${id}, money`)
  );
}

/** Charged amounts by currency; nothing is paid. */
function chargedByCurrency(rows: ModelSession[]) {
  const money: Record<string, { charged: number; outstanding: number }> = {};
  for (const { seats, charges } of rows) {
    for (const { amount } of charges.filter((charge) => !charge.reversed)) {
      const currency = seats[0]?.currency ?? '';
      const total = (money[currency]?.charged ?? 0) + amount;
      money[currency] = { charged: total, outstanding: total };
    }
  }
  return money;
}

const indexByCurrency = (money: LessonDetails['money']) =>
  Object.fromEntries(money.map(({ currency, ...totals }) => [currency, totals]));

const rowsDifference = (state: ScheduleState, rows: SessionRow[]): string | null =>
  rows.map((row) => sessionRowDifference(state, row)).find((found) => found !== null) ?? null;

/**
 * Sessions cancelled by the tutor are hidden if their lesson was deleted before they ended, or if every student has left.
 * All other sessions stay in the calendar.
 */
async function calendarDifference(
  state: ScheduleState,
  { browser }: InsertedTutorFixture,
): Promise<string | null> {
  const from = daysAfter(state.today, -20);
  const to = daysAfter(from, 60);
  const { body } = await browser.call(sessions.listSessions, { query: { from, to } });
  const deletedAt = new Map(state.lessons.map((lesson) => [lesson.id, lesson.deletedAt]));
  const departures = new Set(
    state.pauses.flatMap(({ id, isDeparture }) => (isDeparture ? id : [])),
  );
  const isDeparture = (timeOffId: number | null) => timeOffId !== null && departures.has(timeOffId);
  const hasEveryoneLeft = (row: ModelSession): boolean =>
    isDeparture(row.timeOffId) &&
    expectedSeats(row).every(({ timeOffId }) => isDeparture(timeOffId));
  const isHidden = (row: ModelSession): boolean => {
    const at = deletedAt.get(row.lessonId) ?? null;
    const cancelledByTutor = row.status === 'cancelled' && row.cancelledBy === 'tutor';
    if (!cancelledByTutor) return false;
    return (at !== null && `${row.date} ${row.end}` > at) || hasEveryoneLeft(row);
  };
  const expected = state.sessions
    .filter((row) => row.date >= from && row.date <= to)
    .filter((row) => !isHidden(row));
  return (
    difference(
      toIdRecord(expected.map((row) => row.id)),
      toIdRecord(body.map((row) => row.id)),
      'calendar',
    ) ?? rowsDifference(state, body)
  );
}

/** The rates of archived students are not listed. */
async function ratesDifference(
  state: ScheduleState,
  { browser }: InsertedTutorFixture,
): Promise<string | null> {
  const { body } = await browser.call(rates.listRates);
  const expected = state.rates.filter(
    ({ studentId }) => !state.archivedStudents.includes(studentId),
  );
  const actual = body.map(({ studentName: _student, subjectName: _subject, ...rate }) => rate);
  const byId = (list: { id: number }[]) => Object.fromEntries(list.map((each) => [each.id, each]));
  return difference(byId(expected), byId(actual), 'rate');
}

async function termsDifference(
  state: ScheduleState,
  { browser }: InsertedTutorFixture,
): Promise<string | null> {
  const { body } = await browser.call(termCalendars.listTermCalendars);
  const toIds = (list: readonly { id: number }[]) => toIdRecord(list.map(({ id }) => id));
  const missing = difference(toIds(state.calendars), toIds(body), 'school terms');
  const differences = body.map((calendar) => termCalendarDifference(state, calendar.id, calendar));
  return missing ?? differences.find((found) => found !== null) ?? null;
}

async function sessionPagesDifference(
  state: ScheduleState,
  { browser }: InsertedTutorFixture,
): Promise<string | null> {
  const candidates = state.sessions.filter((row) => row.status !== 'scheduled' || row.movedFrom);
  for (const { id } of candidates.slice(-3)) {
    const { body } = await browser.call(sessions.session, { params: { id } });
    const mismatch = sessionPageDifference(state, body);
    if (mismatch) return mismatch;
  }
  return null;
}

const toIdRecord = (ids: readonly number[]): Record<string, boolean> =>
  Object.fromEntries(ids.toSorted((a, b) => a - b).map((id) => [id, true]));
