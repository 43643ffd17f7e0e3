import type { StudentStatusChange } from '@lessonbook/contract/change-student-status';
import type { Overlap } from '@lessonbook/contract/errors';
import type { ChangeSummary } from '@lessonbook/contract/lessons';
import { type Lesson, lessons } from '@lessonbook/contract/lessons';
import type { Session, SessionRow } from '@lessonbook/contract/sessions';
import type { TermCalendar, TermCalendarChange } from '@lessonbook/contract/term-calendars';
import type pg from 'pg';
import type { InsertedTutorFixture } from '../insert-tutor-fixture.ts';
import type { SavedLesson } from './change-single-session-model.ts';
import { seatPrice } from './prices-model.ts';
import {
  describeOverlap,
  expectedSeats,
  GOOGLE_MEET,
  hasEnded,
  type ModelConsequences,
  type ModelLesson,
  type ModelPause,
  type ModelSession,
  type OverlapPair,
  overlapDescriptions,
  type ScheduleState,
  sumOrNull,
} from './schedule-model.ts';
import { lessonStatus } from './session-lifecycle-model.ts';
import type { StatusChange } from './student-status-model.ts';
import { countCurrentLessons, type TermsChange } from './terms-model.ts';

/* Compares server responses and database rows with the model. */

type PlainObject = Record<string, unknown>;

/** The first difference between two values, given as its path and both values; null if there is none. */
export function difference(expected: unknown, actual: unknown, path: string): string | null {
  if (Object.is(expected, actual)) return null;
  if (isObject(expected) && isObject(actual)) {
    for (const key in expected) {
      const found = difference(expected[key], actual[key], `${path}.${key}`);
      if (found) return found;
    }
    for (const key in actual) {
      if (!(key in expected)) return difference(undefined, actual[key], `${path}.${key}`);
    }
    return null;
  }
  return `${path}: the model has ${JSON.stringify(expected)}, the server ${JSON.stringify(actual)}`;
}

const isObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null;

const MAX_OVERLAPS = 100;

/** Compares overlaps as sets. An error response contains at most a hundred of them. */
export function overlapDifference(
  pairs: readonly OverlapPair[],
  overlaps: readonly Overlap[],
  path: string,
): string | null {
  const remaining = overlaps.map(describeOverlap);
  for (const pair of pairs) {
    const index = remaining.findIndex((text) => overlapDescriptions(pair).includes(text));
    if (index === -1) {
      if (pairs.length > MAX_OVERLAPS && overlaps.length === MAX_OVERLAPS) continue;
      return `${path}: the model has "${overlapDescriptions(pair)[0]}", the server does not`;
    }
    remaining.splice(index, 1);
  }
  const [extra] = remaining;
  return extra === undefined ? null : `${path}: the server has "${extra}", the model does not`;
}

export function consequencesDifference(
  expected: ModelConsequences,
  actual: ChangeSummary,
): string | null {
  const { overlaps: pairs, ...counts } = expected;
  const { overlaps, unchanged, skipped: _skipped, ...rest } = actual;
  const byReason = Object.fromEntries(unchanged.map(({ reason, count }) => [reason, count]));
  return (
    difference(counts, { ...rest, unchanged: byReason }, 'consequences') ??
    overlapDifference(pairs, overlaps, 'consequences.overlaps')
  );
}

const SESSIONS_SQL = `
  select s.id, s.lesson_id as "lessonId", s.title, s.subject_id as "subjectId", s.place, s.date, s.start_time as start,
    s.end_time as end, s.uses_google_meet as "usesGoogleMeet", s.status, s.notes, s.cancelled_by as "cancelledBy", s.cancel_reason as "cancelReason",
    s.time_off_id as "timeOffId", s.rescheduled_to_id as "movedTo", s.rescheduled_from_id as "movedFrom",
    coalesce((
      select json_agg(json_build_object('studentId', x.student_id, 'position', x.position, 'fee', x.fee,
        'currency', x.currency, 'feeSource', x.fee_source, 'state', x.state, 'attendance', x.attendance,
        'isBillable', x.is_billable, 'cancelledBy', x.cancelled_by, 'cancelReason', x.cancel_reason,
        'noticeMinutes', x.notice_minutes, 'timeOffId', x.time_off_id) order by x.position, x.student_id)
      from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id), '[]') as seats,
    coalesce((
      select json_agg(json_build_object('studentId', c.student_id, 'amount', c.amount, 'reversed', c.reversed and exists (
        select 1 from charges r where r.tutor_id = c.tutor_id and r.reverses_id = c.id and r.amount = -c.amount))
        order by c.student_id, c.id)
      from charges c where c.tutor_id = s.tutor_id and c.session_id = s.id and c.kind <> 'reversal'), '[]') as charges
  from sessions s where s.tutor_id = $1 order by s.id`;

const PAUSES_SQL = `
  select id, student_id as "studentId", from_date as from, to_date as to,
    is_departure as "isDeparture"
  from time_off where tutor_id = $1 and student_id is not null`;

/** Finds overlapping sessions that were not accepted, and accepted pairs that do not overlap. */
const OVERLAP_ERRORS_SQL = `
  with overlapping as (
    select a.tutor_id, a.id as session_id, b.id as other_id from sessions a
    join sessions b on b.tutor_id = a.tutor_id and b.id > a.id and b.status = 'scheduled'
      and b.date = a.date and b.starts_at < a.ends_at and b.ends_at > a.starts_at
    where a.tutor_id = $1 and a.status = 'scheduled')
  select coalesce(o.session_id, p.session_id) as first, coalesce(o.other_id, p.other_id) as second,
    p.session_id is null as missing
  from overlapping o
  full join (select * from accepted_overlaps where tutor_id = $1) p using (tutor_id, session_id, other_id)
  where o.session_id is null or p.session_id is null`;

const expectedSession = (session: ModelSession): PlainObject => {
  const { seriesDate: _series, originalDate: _original, edited: _edited, ...fields } = session;
  const charges = session.charges.toSorted((a, b) => a.studentId - b.studentId);
  return { ...fields, usesGoogleMeet: session.place === GOOGLE_MEET, charges };
};

/** Compares every session and its charges, every lesson, the pauses, and the accepted overlaps. */
export async function scheduleDifference(
  state: ScheduleState,
  fixture: InsertedTutorFixture,
  adminDb: pg.Client,
): Promise<string | null> {
  const [{ rows }, pauses, pairs, list] = await Promise.all([
    adminDb.query<PlainObject & { id: number }>(SESSIONS_SQL, [fixture.tutorId]),
    adminDb.query<ModelPause>(PAUSES_SQL, [fixture.tutorId]),
    adminDb.query<{ first: number; second: number; missing: boolean }>(OVERLAP_ERRORS_SQL, [
      fixture.tutorId,
    ]),
    fixture.browser.call(lessons.listLessons),
  ]);
  const indexById = <T extends { id: number }>(all: readonly T[]) =>
    Object.fromEntries(all.map((each) => [each.id, each]));
  const sessions = difference(
    indexById(state.sessions.map((each) => expectedSession(each) as PlainObject & { id: number })),
    indexById(rows),
    'session',
  );
  if (sessions) return sessions;
  const mixed = state.sessions.find(
    ({ seats }) => new Set(seats.map(({ currency }) => currency)).size > 1,
  );
  if (mixed) return `session ${mixed.id}: its students have different currencies`;
  const pause = difference(indexById(state.pauses), indexById(pauses.rows), 'pause');
  if (pause) return pause;
  const [mismatch] = pairs.rows;
  if (mismatch) {
    const problem = mismatch.missing
      ? 'overlap but were not accepted'
      : 'were accepted but do not overlap';
    return `sessions ${mismatch.first} and ${mismatch.second} ${problem}`;
  }
  const activeLessons = state.lessons.filter((lesson) => !lesson.deleted);
  const nextIds = new Map(list.body.map(({ id, nextSession }) => [id, nextSession?.id]));
  return difference(
    indexById(activeLessons.map((lesson) => expectedLesson(state, lesson, nextIds.get(lesson.id)))),
    indexById(list.body.map((lesson) => actualLesson(state, lesson))),
    'lesson',
  );
}

/** If several sessions start at the same time, any of them may be shown as the next. */
function expectedLesson(state: ScheduleState, lesson: ModelLesson, shownNextId?: number) {
  const rows = state.sessions.filter((row) => row.lessonId === lesson.id);
  const count = (status: string) => rows.filter((row) => row.status === status).length;
  const upcoming = upcomingSessions(state, lesson.id);
  const [first] = upcoming;
  const next =
    upcoming.find(
      ({ id, date, start }) => id === shownNextId && date === first?.date && start === first.start,
    ) ?? first;
  const current = lesson.roster.filter(({ to }) => to === null);
  const students = current.length > 0 ? current : lesson.roster;
  const total =
    lesson.usesRates && next
      ? sumOrNull(expectedSeats(next).map((seat) => seat.fee))
      : sumOrNull(students.map((entry) => seatPrice(lesson, entry)));
  return {
    id: lesson.id,
    title: lesson.title,
    studentId: students[0]?.studentId,
    studentName: students.map(({ studentId }) => studentName(studentId)).join(', '),
    students: lesson.roster.map(({ studentId, ownFee, from, to }) => ({
      studentId,
      name: studentName(studentId),
      fee: ownFee === null ? null : ownFee / 100,
      fromDate: from,
      toDate: to,
    })),
    subjectId: lesson.subjectId,
    fee: total === null ? null : total / 100,
    seatFee: lesson.fee === null ? null : lesson.fee / 100,
    minStudents: null,
    maxStudents: null,
    usesRates: lesson.usesRates,
    currency: lesson.currency,
    place: lesson.place,
    usesGoogleMeet: lesson.place === GOOGLE_MEET,
    travelFee: null,
    notes: lesson.notes,
    date: lesson.date,
    startTime: lesson.start,
    endTime: lesson.end,
    isRecurring: lesson.repeats,
    recurringPattern: lesson.pattern,
    recurringDay: lesson.repeats ? recurringDay(lesson) : null,
    recurringEndDate: lesson.endDate,
    continuesLessonId: lesson.continuesLessonId,
    termCalendarId: lesson.termCalendarId,
    status: lessonStatus(state, lesson),
    counts: {
      scheduled: count('scheduled'),
      completed: count('completed'),
      cancelled: count('cancelled'),
    },
    next: next ? `${next.date} ${next.start}` : null,
    nextIsConsistent: true,
  };
}

/** The ISO weekday, or the day of the month for monthly lessons. */
const recurringDay = ({ pattern, anchor }: ModelLesson): number =>
  pattern === 'monthly' ? Number(anchor.slice(8)) : new Date(anchor).getUTCDay() || 7;

const upcomingSessions = (state: ScheduleState, lessonId: number): ModelSession[] =>
  state.sessions
    .filter(
      (row) => row.lessonId === lessonId && row.status === 'scheduled' && !hasEnded(state, row),
    )
    .toSorted((a, b) => `${a.date} ${a.start}`.localeCompare(`${b.date} ${b.start}`));

function actualLesson(state: ScheduleState, lesson: Lesson) {
  const { nextSession, duration: _d, subjectName: _n, ...fields } = lesson;
  const next = nextSession && state.sessions.find((row) => row.id === nextSession.id);
  return {
    ...fields,
    next: nextSession ? `${nextSession.date} ${nextSession.startTime}` : null,
    nextIsConsistent:
      !nextSession ||
      (next?.lessonId === lesson.id &&
        next.date === nextSession.date &&
        next.end === nextSession.endTime),
  };
}

/** The names in the fixture. */
const studentName = (studentId: number): string => `Student ${studentId}`;

/** Compares the students and sums of a session in a list. Nothing is paid in these tests. */
export function sessionRowDifference(state: ScheduleState, shown: SessionRow): string | null {
  const row = state.sessions.find((each) => each.id === shown.id);
  if (!row) return `session ${shown.id}: not found in the model`;
  const [first] = row.seats;
  const amounts = (charges: ModelSession['charges']) => {
    const charged = sumOrNull(charges.filter((each) => !each.reversed).map((each) => each.amount));
    return { charged, outstanding: charged, paymentId: null };
  };
  const expected = {
    studentId: first?.studentId,
    studentName: row.seats.map(({ studentId }) => studentName(studentId)).join(', '),
    fee: sumOrNull(expectedSeats(row).map((seat) => seat.fee)),
    currency: first?.currency,
    ...amounts(row.charges),
    students: row.seats.map(({ studentId, state: seatState, attendance, fee, feeSource }) => ({
      studentId,
      name: studentName(studentId),
      state: seatState,
      attendance,
      fee,
      feeSource,
      ...amounts(row.charges.filter((charge) => charge.studentId === studentId)),
    })),
  };
  const { studentId, studentName: names, fee, currency, charged, outstanding, paymentId } = shown;
  const { students } = shown;
  return difference(
    expected,
    { studentId, studentName: names, fee, currency, charged, outstanding, paymentId, students },
    `row of session ${shown.id}`,
  );
}

/** Compares the response for one session. */
export function sessionPageDifference(state: ScheduleState, page: Session): string | null {
  const row = state.sessions.find((each) => each.id === page.id);
  if (!row) return `session ${page.id}: not found in the model`;
  const lesson = state.lessons.find((each) => each.id === row.lessonId);
  const link = (id: number | null) => {
    const other = state.sessions.find((each) => each.id === id);
    return other ? `${other.id} ${other.date} ${other.start}–${other.end}` : null;
  };
  const formatShown = (other: Session['rescheduledTo']) =>
    other && `${other.id} ${other.date} ${other.startTime}–${other.endTime}`;
  return (
    sessionRowDifference(state, page) ??
    difference(
      {
        date: row.date,
        start: row.start,
        end: row.end,
        status: row.status,
        notes: (row.notes ?? lesson?.notes) || null,
        attendance: commonAttendance(row),
        cancelledBy: row.cancelledBy,
        cancelReason: row.cancelReason,
        to: link(row.movedTo),
        from: link(row.movedFrom),
      },
      {
        date: page.date,
        start: page.startTime,
        end: page.endTime,
        status: page.status,
        notes: page.notes,
        attendance: page.attendance,
        cancelledBy: page.cancelledBy,
        cancelReason: page.cancelReason,
        to: formatShown(page.rescheduledTo),
        from: formatShown(page.rescheduledFrom),
      },
      `page for session ${page.id}`,
    )
  );
}

/** The attendance that all seats have in common, without the cancelled ones; otherwise null. */
function commonAttendance({ seats }: ModelSession): string | null {
  const values = new Set(
    seats.filter(({ state }) => state === 'expected').map((seat) => seat.attendance),
  );
  return values.size === 1 ? ([...values][0] ?? null) : null;
}

export function checkSaved(saved: SavedLesson) {
  return (body: unknown): string | null => {
    const actual = body as SavedLesson & { consequences: ChangeSummary; previewed?: boolean };
    const mismatch = consequencesDifference(saved.consequences, actual.consequences);
    if (mismatch || actual.previewed) return mismatch;
    const { lessonId, sessionId } = actual;
    return difference(
      { lessonId: saved.lessonId, sessionId: saved.sessionId },
      { lessonId, sessionId },
      'saved',
    );
  };
}

export function checkSessionPage(state: ScheduleState, sessionId: number) {
  return (body: unknown): string | null => {
    const page = body as Session;
    return difference(sessionId, page.id, 'returned session') ?? sessionPageDifference(state, page);
  };
}

export function restoredDifference(
  expected: { restored: number; overlaps: OverlapPair[] },
  body: unknown,
): string | null {
  const { restored, overlaps } = body as { restored: number; overlaps: Overlap[] };
  return (
    difference(expected.restored, restored, 'restored') ??
    overlapDifference(expected.overlaps, overlaps, 'restored')
  );
}

/** Compares the status, the pause, the sessions that were cancelled or restored, and the overlaps. */
export function studentStatusDifference(expected: StatusChange, body: unknown): string | null {
  const { student, cancelled, restored, overlaps } = body as StudentStatusChange;
  const toIds = (rows: readonly SessionRow[]) => rows.map(({ id }) => id);
  const sortIds = (ids: readonly number[]) => ids.toSorted((a, b) => a - b);
  const { overlaps: pairs, ...change } = expected;
  return (
    difference(
      {
        ...change,
        cancelledIds: sortIds(change.cancelledIds),
        restoredIds: sortIds(change.restoredIds),
      },
      {
        status: student.status,
        pause: student.pause,
        cancelledIds: sortIds(toIds(cancelled)),
        restoredIds: sortIds(toIds(restored)),
      },
      'status',
    ) ?? overlapDifference(pairs, overlaps, 'status.overlaps')
  );
}

export function calendarDifference(state: ScheduleState, id: number, body: unknown): string | null {
  const actual = body as TermCalendar;
  const terms = state.calendars.find((calendar) => calendar.id === id)?.terms ?? [];
  return difference(
    {
      id,
      terms: terms.map(({ from, to }) => `${from} to ${to}`).toSorted(),
      lessons: countCurrentLessons(state, id),
    },
    {
      id: actual.id,
      terms: actual.terms.map(({ fromDate, toDate }) => `${fromDate} to ${toDate}`),
      lessons: actual.lessons,
    },
    'calendar',
  );
}

/** Compares the dates that are added, removed or kept in each series, and the overlaps. */
export function termsChangeDifference(
  state: ScheduleState,
  calendarId: number,
  { lessons: expected, overlaps }: TermsChange,
  body: unknown,
): string | null {
  const actual = body as TermCalendarChange;
  const byLesson = (changes: TermsChange['lessons']) =>
    Object.fromEntries(
      changes.map(({ lessonId, added, removed, kept }) => [
        lessonId,
        { added: added.toSorted(), removed: removed.toSorted(), kept: kept.toSorted() },
      ]),
    );
  return (
    difference(byLesson(expected), byLesson(actual.lessons), 'terms.lesson') ??
    overlapDifference(overlaps, actual.overlaps, 'terms.overlaps') ??
    calendarDifference(state, calendarId, actual.calendar)
  );
}
