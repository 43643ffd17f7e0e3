import type { Random } from '../random.ts';
import { daysAfter, minuteText } from '../time-zones/zone-oracle.ts';
import { dialogFields, type LessonFormValues } from './change-single-session-model.ts';
import type { Command, CommandGenerator, FixtureIds } from './commands.ts';
import {
  changeSubjectCommand,
  changeTermsCommand,
  createTermsCommand,
  deleteRateCommand,
  deleteTermsCommand,
  randomCalendar,
  saveRateCommand,
} from './random-rates-and-terms.ts';
import {
  expectedSeats,
  GOOGLE_MEET,
  type ModelLesson,
  type ModelSession,
  type ScheduleState,
} from './schedule-model.ts';
import { type Completion, type CreateInput, sessionsInTimeOff } from './session-lifecycle-model.ts';

/* Generates random commands that suit the current state. */

const SCOPES = ['this', 'following', 'all'] as const;
const PATTERNS = ['weekly', 'biweekly', 'monthly'] as const;

/** Relative frequencies of the commands. */
const WEIGHTS: [number, CommandGenerator][] = [
  [20, createCommand],
  [34, changeCommand],
  [10, deleteCommand],
  [12, rescheduleCommand],
  [10, completeCommand],
  [12, cancelCommand],
  [12, reopenCommand],
  [12, joinCommand],
  [9, leaveCommand],
  [14, cancelSeatCommand],
  [8, restoreSeatCommand],
  [4, undoMoveCommand],
  [2, archiveCommand],
  [16, pauseCommand],
  [7, endPauseCommand],
  [2, leaveForGoodCommand],
  [6, timeOffCommand],
  [4, deleteTimeOffCommand],
  [3, policyCommand],
  [26, saveRateCommand],
  [16, deleteRateCommand],
  [3, changeSubjectCommand],
  [4, createTermsCommand],
  [18, changeTermsCommand],
  [2, deleteTermsCommand],
  [6, (random) => ({ kind: 'wait', minutes: random.between(1, 30 * 60) })],
  [7, (random) => ({ kind: 'wait and extend series', days: random.between(8, 40) })],
];
const WEIGHTED_GENERATORS = WEIGHTS.flatMap(([weight, generator]) =>
  Array.from({ length: weight }, () => generator),
);

export function nextCommand(random: Random, state: ScheduleState, fixtureIds: FixtureIds): Command {
  if (state.lessons.length === 0 && state.ids.calendar + state.ids.rate < 3) {
    const first = random.pick([createTermsCommand, saveRateCommand, createCommand]);
    const command = first(random, state, fixtureIds);
    if (command) return command;
  }
  // The other commands need existing lessons.
  if (state.lessons.length < 2) return createCommand(random, state, fixtureIds);
  for (;;) {
    const command = random.pick(WEIGHTED_GENERATORS)(random, state, fixtureIds);
    if (command) return command;
  }
}

const randomTime = (random: Random) => {
  // Keeps the day short, so that lessons often overlap.
  const start = random.between(26, 35) * 30;
  return { start: minuteText(start), end: minuteText(start + random.pick([30, 45, 60, 90])) };
};
const pickRandomFee = (random: Random) => random.pick([null, 3000, 3500, 4250]);
const randomNote = (random: Random) => random.pick([null, 'bring the book', 'page 12']);
const randomPlace = (random: Random) =>
  random.pick([null, '1 High Street', 'https://meet.example/maya', GOOGLE_MEET]);

const randomAcceptance = (random: Random) => random.chance(0.65);

/** One to six students, some with their own price. */
function randomStudents(random: Random, { studentIds }: FixtureIds): CreateInput['students'] {
  const count = random.chance(0.4) ? 1 : random.between(2, studentIds.length);
  const remaining = [...studentIds];
  return Array.from({ length: count }, () => {
    const [studentId] = remaining.splice(random.between(0, remaining.length - 1), 1);
    return { studentId: studentId as number, ...randomOwnFee(random) };
  });
}

const randomOwnFee = (random: Random): { fee?: number | null } =>
  random.chance(0.25) ? { fee: random.pick([null, 2000, 2550]) } : {};

function createCommand(random: Random, state: ScheduleState, fixtureIds: FixtureIds): Command {
  const repeats = random.chance(0.75);
  const date = daysAfter(
    state.today,
    random.chance(0.3) ? -random.between(1, 21) : random.between(0, 16),
  );
  const endDate = !repeats || random.chance(0.15) ? null : daysAfter(date, random.between(0, 80));
  const students = randomStudents(random, fixtureIds);
  return {
    kind: 'create',
    preview: random.chance(0.15),
    earlier: random.pick(['skip', 'taught']),
    accept: randomAcceptance(random),
    students,
    formValues: {
      title: `lesson ${state.ids.lesson + 1}`,
      studentId: students[0]?.studentId ?? 0,
      subjectId: random.pick(fixtureIds.subjectIds),
      fee: pickRandomFee(random),
      currency: random.chance(0.85) ? 'GBP' : 'EUR',
      place: randomPlace(random),
      notes: randomNote(random),
      date,
      ...randomTime(random),
      repeats,
      pattern: random.pick(PATTERNS),
      endDate,
      usesRates: random.chance(0.5),
      seatFee: undefined,
      termCalendarId: random.chance(0.5) ? randomCalendar(random, state) : undefined,
    },
  };
}

/** Picks a matching session that is not too far in the future. */
function randomSession(
  random: Random,
  state: ScheduleState,
  matches: (session: ModelSession) => boolean,
): ModelSession | null {
  const latest = daysAfter(state.today, 100);
  const matching = state.sessions.filter((session) => session.date <= latest && matches(session));
  return matching.length === 0 ? null : random.pick(matching);
}

const isScheduled = (session: ModelSession) => session.status === 'scheduled';
const isCompletedOrCancelled = (session: ModelSession) =>
  session.status === 'completed' || session.status === 'cancelled';

function randomSessionWithLesson(
  random: Random,
  state: ScheduleState,
): [ModelSession, ModelLesson] | null {
  const anyStatus = random.chance(0.15);
  const lessonIds = new Set(state.lessons.filter((lesson) => !lesson.deleted).map(({ id }) => id));
  const lessonId = lessonIds.size === 0 ? 0 : random.pick([...lessonIds]);
  const session = randomSession(
    random,
    state,
    (each) => each.lessonId === lessonId && (anyStatus || isScheduled(each)),
  );
  const lesson = state.lessons.find(({ id }) => id === lessonId);
  return session && lesson ? [session, lesson] : null;
}

function changeCommand(
  random: Random,
  state: ScheduleState,
  fixtureIds: FixtureIds,
): Command | null {
  const found = randomSessionWithLesson(random, state);
  if (!found) return null;
  const [session, lesson] = found;
  const { id: lessonId, repeats, pattern, endDate } = lesson;
  const { date, start, end } = session;
  const notes = (session.notes ?? lesson.notes) || null;
  const fields = { ...dialogFields(session), notes };
  const formValues: LessonFormValues = {
    ...fields,
    date,
    start,
    end,
    repeats,
    pattern,
    endDate,
    usesRates: undefined,
    seatFee: random.chance(0.5) ? lesson.fee : undefined,
    termCalendarId: random.chance(0.5) ? lesson.termCalendarId : undefined,
  };
  const edits = random.between(1, 3);
  for (let count = 0; count < edits; count++)
    editFormValues(random, formValues, lesson, fixtureIds);
  if (random.chance(0.15)) formValues.termCalendarId = randomCalendar(random, state);
  // The student and fee of a group cannot be changed here, so this is tried only sometimes.
  if (session.seats.length > 1 && random.chance(0.8))
    Object.assign(formValues, dialogFields(session));
  return {
    kind: 'change',
    preview: random.chance(0.15),
    lessonId,
    sessionId: session.id,
    scope: random.pick(SCOPES),
    includeEdited: random.chance(0.3),
    accept: randomAcceptance(random),
    formValues,
  };
}

function editFormValues(
  random: Random,
  formValues: LessonFormValues,
  lesson: ModelLesson,
  fixtureIds: FixtureIds,
): void {
  const field = random.between(0, 17);
  if (field === 0) formValues.title = `${lesson.title.split("'")[0]}'${random.between(1, 9)}`;
  if (field <= 2) formValues.fee = pickRandomFee(random);
  if (field === 3) formValues.studentId = random.pick(fixtureIds.studentIds);
  if (field === 4) formValues.subjectId = random.pick(fixtureIds.subjectIds);
  if (field === 5) formValues.place = randomPlace(random);
  if (field === 6) formValues.notes = randomNote(random);
  if (field === 7 || field === 8) Object.assign(formValues, randomTime(random));
  if (field === 9 || field === 10)
    formValues.date = daysAfter(formValues.date, random.between(-8, 8));
  if (field === 11) formValues.pattern = random.pick(PATTERNS);
  if (field === 12 && formValues.repeats) {
    formValues.endDate = random.chance(0.2)
      ? null
      : daysAfter(formValues.date, random.between(0, 70));
  }
  if (field === 14) formValues.usesRates = true;
  if (field === 15) formValues.usesRates = random.chance(0.5);
  if (field === 16) formValues.seatFee = pickRandomFee(random);
  if (field === 17) formValues.currency = random.pick(['GBP', 'EUR']);
  if (field === 13) {
    formValues.repeats = !formValues.repeats || random.chance(0.5);
    if (!lesson.repeats)
      formValues.endDate = formValues.repeats ? daysAfter(formValues.date, 35) : null;
  }
}

function deleteCommand(random: Random, state: ScheduleState): Command | null {
  const found = randomSessionWithLesson(random, state);
  if (!found) return null;
  const [{ id: sessionId }, { id: lessonId }] = found;
  return {
    kind: 'delete',
    preview: random.chance(0.2),
    lessonId,
    sessionId,
    scope: random.pick(SCOPES),
  };
}

function rescheduleCommand(random: Random, state: ScheduleState): Command | null {
  const anyStatus = random.chance(0.1);
  const session = randomSession(random, state, (each) => anyStatus || isScheduled(each));
  if (!session) return null;
  const { date, start, end } = session;
  const other = random.chance(0.25) ? randomSession(random, state, isCompletedOrCancelled) : null;
  const to = random.chance(0.05)
    ? { date, start, end }
    : // Often moves to the time of a completed or cancelled session.
      other
      ? { date: other.date, start: other.start, end: other.end }
      : { date: daysAfter(date, random.between(-8, 12)), ...randomTime(random) };
  return { kind: 'reschedule', sessionId: session.id, ...to, accept: randomAcceptance(random) };
}

/** Some students of the session, rarely one who is not expected in it. */
function randomExceptions(
  random: Random,
  session: ModelSession,
  { studentIds }: FixtureIds,
): Completion['exceptions'] {
  const ids = expectedSeats(session).map((seat) => seat.studentId);
  const chosen = random.chance(0.5) ? ids.filter(() => random.chance(0.35)) : [];
  const other = random.pick(studentIds);
  if (random.chance(0.03) && !chosen.includes(other)) chosen.push(other);
  return chosen.map((studentId) => ({
    studentId,
    attendance: random.pick(['attended', 'late', 'absent']),
    charge: random.chance(0.5),
  }));
}

function completeCommand(
  random: Random,
  state: ScheduleState,
  fixtureIds: FixtureIds,
): Command | null {
  const anyStatus = random.chance(0.1);
  const sessions = Array.from({ length: random.pick([1, 1, 2, 3]) }, () =>
    randomSession(
      random,
      state,
      (each) => anyStatus || (isScheduled(each) && each.date <= daysAfter(state.today, 14)),
    ),
  );
  if (sessions.includes(null)) return null;
  return {
    kind: 'complete',
    completions: sessions.map((session) => ({
      sessionId: session?.id ?? 0,
      attendance: random.pick(['attended', 'attended', 'late', 'absent']),
      charge: random.chance(0.75),
      notes: random.chance(0.15) ? 'did fractions' : null,
      exceptions: session ? randomExceptions(random, session, fixtureIds) : [],
    })),
  };
}

function cancelCommand(random: Random, state: ScheduleState): Command | null {
  const anyStatus = random.chance(0.1);
  // Often cancels at short notice, where the cancellation policy applies.
  const latest = daysAfter(state.today, random.pick([0, 1, 1, 2, 11, 100]));
  const session = randomSession(
    random,
    state,
    (each) => anyStatus || (isScheduled(each) && each.date <= latest && each.date >= state.today),
  );
  if (!session) return null;
  return {
    kind: 'cancel',
    sessionId: session.id,
    by: random.pick(['tutor', 'student', 'carer']),
    reason: random.chance(0.3) ? 'ill' : null,
    chargeFee: random.chance(0.7),
  };
}

function reopenCommand(random: Random, state: ScheduleState): Command | null {
  const anyStatus = random.chance(0.1);
  // Often picks a session whose time is now taken by another session.
  const occupiedSlots = new Set(
    state.sessions.filter(isScheduled).map((each) => `${each.date} ${each.start}`),
  );
  const session =
    (random.chance(0.5) &&
      randomSession(
        random,
        state,
        (each) => isCompletedOrCancelled(each) && occupiedSlots.has(`${each.date} ${each.start}`),
      )) ||
    randomSession(random, state, (each) => anyStatus || isCompletedOrCancelled(each));
  return session && { kind: 'reopen', sessionId: session.id, accept: random.chance(0.5) };
}

/** The lesson's students change from a date that is mostly in the future. */
function randomLessonAndDate(random: Random, state: ScheduleState): [ModelLesson, string] | null {
  const lessons = state.lessons.filter((lesson) => !lesson.deleted || random.chance(0.03));
  if (lessons.length === 0) return null;
  const lesson = random.pick(lessons);
  const date = random.chance(0.2) ? lesson.date : daysAfter(state.today, random.between(-10, 40));
  return [lesson, date];
}

function joinCommand(
  random: Random,
  state: ScheduleState,
  { studentIds }: FixtureIds,
): Command | null {
  const found = randomLessonAndDate(random, state);
  if (!found) return null;
  const [{ id: lessonId, roster }, from] = found;
  const current = roster.filter(({ to }) => to === null).map(({ studentId }) => studentId);
  const others = studentIds.filter((id) => !current.includes(id));
  const studentId = random.pick(others.length > 0 && random.chance(0.9) ? others : studentIds);
  return { kind: 'join', lessonId, studentId, ...randomOwnFee(random), from };
}

function leaveCommand(
  random: Random,
  state: ScheduleState,
  { studentIds }: FixtureIds,
): Command | null {
  const found = randomLessonAndDate(random, state);
  if (!found) return null;
  const [{ id: lessonId, roster }, from] = found;
  const { studentId } = random.pick(roster);
  const leaving = random.chance(0.05) ? random.pick(studentIds) : studentId;
  return { kind: 'leave', lessonId, studentId: leaving, from };
}

function cancelSeatCommand(
  random: Random,
  state: ScheduleState,
  fixtureIds: FixtureIds,
): Command | null {
  const cancel = cancelCommand(random, state);
  if (cancel?.kind !== 'cancel') return null;
  const { kind: _kind, ...input } = cancel;
  const { seats } = state.sessions.find(({ id }) => id === input.sessionId) as ModelSession;
  if (seats.length === 1 && random.chance(0.9)) return null;
  const studentId = random.chance(0.05)
    ? random.pick(fixtureIds.studentIds)
    : random.pick(seats).studentId;
  return { kind: 'cancel seat', ...input, studentId };
}

function restoreSeatCommand(random: Random, state: ScheduleState): Command | null {
  const any = random.chance(0.1);
  const session = randomSession(random, state, ({ seats }) =>
    seats.some((seat) => any || seat.state === 'cancelled'),
  );
  if (!session) return null;
  const cancelled = session.seats.filter((seat) => seat.state === 'cancelled');
  const { studentId } = random.pick(cancelled.length > 0 ? cancelled : session.seats);
  return { kind: 'restore seat', sessionId: session.id, studentId };
}

function undoMoveCommand(random: Random, state: ScheduleState): Command | null {
  const any = random.chance(0.1);
  const session = randomSession(
    random,
    state,
    (each) => any || (isScheduled(each) && each.movedFrom !== null),
  );
  return session && { kind: 'undo move', sessionId: session.id };
}

function archiveCommand(
  random: Random,
  _state: ScheduleState,
  { studentIds }: FixtureIds,
): Command {
  return { kind: 'archive student', studentId: random.pick(studentIds) };
}

/** Often changes a pause, or pauses a student who shares a session with another paused student. */
function pauseCommand(random: Random, state: ScheduleState, { studentIds }: FixtureIds): Command {
  const isLinked = (session: ModelSession) => session.seats.some((seat) => seat.timeOffId !== null);
  const shared = random.chance(0.5) ? randomSession(random, state, isLinked) : null;
  const studentId = shared ? random.pick(shared.seats).studentId : random.pick(studentIds);
  const first = shared && random.chance(0.5) ? shared.date : state.today;
  const from = daysAfter(first, random.between(-8, 25));
  const to = random.chance(0.35) ? null : daysAfter(from, random.between(0, 40));
  const preview = random.chance(0.15);
  return { kind: 'change status', preview, studentId, status: 'paused', from, to };
}

function endPauseCommand(
  random: Random,
  state: ScheduleState,
  { studentIds }: FixtureIds,
): Command {
  const paused = state.pauses.filter(({ to }) => to === null || to >= state.today);
  const left = studentIds.filter((id) => state.statuses[id] === 'left');
  const ids = [...paused.map(({ studentId }) => studentId), ...left];
  const studentId = random.pick(ids.length > 0 && random.chance(0.95) ? ids : studentIds);
  const status = random.chance(0.85) ? 'active' : 'trial';
  const preview = random.chance(0.15);
  return { kind: 'change status', preview, studentId, status, from: null, to: null };
}

function leaveForGoodCommand(
  random: Random,
  state: ScheduleState,
  { studentIds }: FixtureIds,
): Command {
  const studentId = random.pick(studentIds);
  const preview = random.chance(0.15);
  const from = daysAfter(state.today, random.between(-10, 25));
  return { kind: 'change status', preview, studentId, status: 'left', from, to: null };
}

function timeOffCommand(random: Random, state: ScheduleState): Command {
  const from = daysAfter(state.today, random.between(-3, 40));
  const range = { from, to: daysAfter(from, random.between(0, 10)) };
  const hours = random.chance(0.3) ? randomTime(random) : { start: null, end: null };
  const covered = sessionsInTimeOff(state, { ...range, ...hours });
  const cancelIds = covered.filter(() => random.chance(0.8)).map(({ id }) => id);
  const other = randomSession(random, state, (each) => !covered.includes(each));
  if (other && random.chance(0.05)) cancelIds.push(other.id);
  return { kind: 'create time off', ...range, ...hours, cancelIds };
}

function deleteTimeOffCommand(random: Random, state: ScheduleState): Command | null {
  // A pause is not the tutor's time off, so it is not found.
  const candidates = random.chance(0.05) ? state.pauses : state.timeOff;
  if (candidates.length === 0) return null;
  const { id } = random.pick<{ id: number }>(candidates);
  return { kind: 'delete time off', id, restore: random.chance(0.75) };
}

function policyCommand(random: Random): Command {
  return {
    kind: 'policy',
    noticeHours: random.pick([0, 24, 48, 240, 720]),
    feePercent: random.pick([0, 33, 50, 100]),
  };
}
