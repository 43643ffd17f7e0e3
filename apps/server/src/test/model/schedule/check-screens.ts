import { type LessonDetails, lessons } from '@lessonbook/contract/lessons';
import { type SessionRow, sessions } from '@lessonbook/contract/sessions';
import type { FastFixture } from '../fast-fixture.ts';
import { daysAfter } from '../time-zones/zone-oracle.ts';
import { difference, sessionPageDifference } from './compare-with-server.ts';
import { hasEnded, type ModelSession, type ScheduleState } from './schedule-model.ts';

/** Compares the data shown on the screens: each lesson, the due sessions, the calendar and some sessions. */
export async function screensDifference(
  state: ScheduleState,
  fixture: FastFixture,
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
    (await calendarDifference(state, fixture)) ??
    sessionPagesDifference(state, fixture)
  );
}

function lessonPageDifference(state: ScheduleState, id: number, page: LessonDetails) {
  const rows = state.sessions.filter((row) => row.lessonId === id);
  const idsWhere = (upcoming: boolean) =>
    rows
      .filter((row) => (row.status === 'scheduled' && !hasEnded(state, row)) === upcoming)
      .map((row) => row.id);
  const shown = (list: SessionRow[]) => toIdRecord(list.map((row) => row.id));
  return (
    difference(toIdRecord(idsWhere(true)), shown(page.upcoming), `lesson ${id}, coming`) ??
    difference(toIdRecord(idsWhere(false)), shown(page.past), `lesson ${id}, past`)
  );
}

/** Sessions cancelled by deleting their lesson are hidden; sessions cancelled before that stay in the calendar. */
async function calendarDifference(
  state: ScheduleState,
  { browser }: FastFixture,
): Promise<string | null> {
  const from = daysAfter(state.today, -20);
  const to = daysAfter(from, 60);
  const { body } = await browser.call(sessions.listSessions, { query: { from, to } });
  const deletedAt = new Map(state.lessons.map((lesson) => [lesson.id, lesson.deletedAt]));
  const isHidden = (row: ModelSession): boolean => {
    const at = deletedAt.get(row.lessonId) ?? null;
    const cancelledByTutor = row.status === 'cancelled' && row.cancelledBy === 'tutor';
    return at !== null && cancelledByTutor && `${row.date} ${row.end}` > at;
  };
  const expected = state.sessions
    .filter((row) => row.date >= from && row.date <= to)
    .filter((row) => !isHidden(row));
  return difference(
    toIdRecord(expected.map((row) => row.id)),
    toIdRecord(body.map((row) => row.id)),
    'calendar',
  );
}

async function sessionPagesDifference(
  state: ScheduleState,
  { browser }: FastFixture,
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
