import type { RecurrencePattern } from '../time-zones/zone-oracle.ts';
import { isAutomatic, repriceSession, subjectOf } from './prices-model.ts';
import {
  assertScheduled,
  expectedOrPausedSeats,
  expectedSeats,
  type Fields,
  type ModelConsequences,
  type ModelLesson,
  type ModelSession,
  requireAcceptance,
  type ScheduleState,
  summarizeChange,
  sumOrNull,
} from './schedule-model.ts';
import { restoreSeatsAfterMove } from './time-off-and-pauses-model.ts';

/* The lesson dialog, and changes to a single session. */

export interface LessonFormValues extends Fields {
  date: string;
  start: string;
  end: string;
  notes: string | null;
  repeats: boolean;
  pattern: RecurrencePattern;
  endDate: string | null;
  /** Whether the fee follows the rates; if undefined, an unchanged fee keeps its source. */
  usesRates: boolean | undefined;
  /** The price of one place in a group; if undefined, the fee is the sum. */
  seatFee: number | null | undefined;
  /** The school terms; if undefined, they do not change. */
  termCalendarId: number | null | undefined;
}

export interface ChangeInput {
  lessonId: number;
  sessionId: number;
  scope: 'this' | 'following' | 'all';
  formValues: LessonFormValues;
  includeEdited: boolean;
  accept: boolean;
}

export interface SavedLesson {
  lessonId: number;
  sessionId: number | null;
  consequences: ModelConsequences;
}

const FIELDS = ['title', 'studentId', 'subjectId', 'fee', 'currency', 'place'] as const;

/** The session as the dialog shows it: for a group, the first student and the sum of the fees. */
export function dialogFields(session: ModelSession): Fields {
  const { title, subjectId, place, seats } = session;
  const [first] = seats;
  if (!first) throw new Error(`Session ${session.id} has no seats`);
  const fee = sumOrNull(expectedSeats(session).map((seat) => seat.fee));
  return { title, studentId: first.studentId, subjectId, fee, currency: first.currency, place };
}

export type Changes = Partial<Fields> & { seatFee?: number | null; usesRates?: boolean };

export const isGroup = (lesson: ModelLesson, session: ModelSession): boolean =>
  lesson.roster.length > 1 || session.seats.length > 1;

/** Only the fields that the tutor changed in the dialog are applied to other sessions. */
export function changedFields(
  state: ScheduleState,
  lesson: ModelLesson,
  session: ModelSession,
  formValues: LessonFormValues,
): Changes {
  const shown = dialogFields(session);
  const changes: Changes = Object.fromEntries(
    FIELDS.filter((key) => shown[key] !== formValues[key]).map((key) => [key, formValues[key]]),
  );
  return isGroup(lesson, session)
    ? withPlaceFee(state, lesson, session, formValues, changes)
    : withFeeSource(state, session, formValues, changes);
}

/** For one student: a changed fee counts as entered; otherwise the fee keeps its source unless the tutor chooses another. */
function withFeeSource(
  state: ScheduleState,
  session: ModelSession,
  formValues: LessonFormValues,
  changes: Changes,
): Changes {
  const { fee: _fee, currency: _currency, ...others } = changes;
  const wasAutomatic = session.seats.some(isAutomatic);
  const isEntered = 'fee' in changes || 'currency' in changes;
  const usesRates = formValues.usesRates ?? (wasAutomatic && !isEntered);
  if (!usesRates && !wasAutomatic) return changes;
  if (!usesRates) {
    const { fee, currency } = formValues;
    return { ...others, usesRates, fee, currency };
  }
  if (wasAutomatic && changes.subjectId === undefined) return others;
  return { ...others, usesRates, ...subjectOf(state, formValues.subjectId) };
}

/** For a group: either the price of one place is entered, or the students' rates apply. Students keep their own prices. */
function withPlaceFee(
  state: ScheduleState,
  lesson: ModelLesson,
  session: ModelSession,
  { seatFee, usesRates: chosen, subjectId }: LessonFormValues,
  changes: Changes,
): Changes {
  const isNewPrice = seatFee !== undefined && seatFee !== lesson.fee;
  const { fee: _fee, ...others } = changes;
  const usesRates = chosen ?? (lesson.usesRates && !isNewPrice);
  if (!usesRates) {
    const entered = seatFee === undefined ? changes : others;
    if (lesson.usesRates)
      return { ...entered, usesRates, seatFee: seatFee === undefined ? lesson.fee : seatFee };
    return isNewPrice ? { ...entered, seatFee } : entered;
  }
  const followsRates =
    lesson.usesRates &&
    session.seats.every((seat) => isAutomatic(seat) || seat.feeSource === 'student');
  const becomesAutomatic = chosen === true && !followsRates;
  if (!becomesAutomatic && changes.subjectId === undefined) return others;
  const { fee, currency } = subjectOf(state, subjectId);
  const other = currency === lesson.currency ? {} : { currency };
  return { ...others, usesRates, seatFee: fee, ...other };
}

/** The student, fee and currency belong to the seats, and can be changed here only if there is one student. */
export const hasSeatChanges = (fields: Changes): boolean =>
  'studentId' in fields || 'fee' in fields || 'currency' in fields;

export function applyToSession(
  session: ModelSession,
  fields: Changes,
  enteredFor: 'session' | 'lesson',
): void {
  const { studentId, fee, currency, seatFee, usesRates, ...own } = fields;
  Object.assign(session, own);
  const feeSource = usesRates ? 'subject' : enteredFor;
  for (const seat of expectedSeats(session)) {
    if (studentId !== undefined) seat.studentId = studentId;
    if (fee !== undefined) Object.assign(seat, { fee, feeSource });
    if (currency !== undefined) seat.currency = currency;
    if (seatFee !== undefined && seat.feeSource !== 'student')
      Object.assign(seat, { fee: seatFee, feeSource });
  }
}

export function applyToLesson(lesson: ModelLesson, fields: Changes): void {
  const { studentId, seatFee, ...own } = fields;
  Object.assign(lesson, own, seatFee === undefined ? {} : { fee: seatFee });
  lesson.roster = lesson.roster.map((entry) => ({
    ...entry,
    ...(studentId === undefined ? {} : { studentId }),
    // The entered fee replaces the student's own price.
    ...(fields.fee === undefined ? {} : { ownFee: null }),
  }));
}

export const hasChangedNotes = (
  lesson: ModelLesson,
  session: ModelSession,
  formValues: LessonFormValues,
): boolean => ((session.notes ?? lesson.notes) || null) !== formValues.notes;

export function changeSingleSession(
  state: ScheduleState,
  lesson: ModelLesson,
  chosen: ModelSession,
  input: ChangeInput,
): SavedLesson {
  const { formValues } = input;
  assertScheduled(chosen);
  const fields = changedFields(state, lesson, chosen, formValues);
  const notesChanged = hasChangedNotes(lesson, chosen, formValues);
  const edited = notesChanged || Object.keys(fields).length > 0;
  applyToSession(chosen, fields, lesson.repeats ? 'session' : 'lesson');
  repriceSession(state, chosen);
  // An empty string means that the notes were cleared for this session only.
  if (notesChanged) chosen.notes = formValues.notes ?? '';
  if (edited && lesson.repeats) chosen.edited = true;
  const timeChanged = hasDifferentTime(chosen, formValues);
  const moved = timeChanged ? moveSession(state, chosen, formValues, input.accept) : null;
  if (!lesson.repeats) {
    applyToLesson(lesson, fields);
    if (notesChanged) lesson.notes = formValues.notes;
    rescheduleOneOffLesson(lesson, formValues);
  }
  return {
    lessonId: lesson.id,
    sessionId: moved?.session.id ?? chosen.id,
    consequences: summarizeChange({
      changed: edited || timeChanged ? 1 : 0,
      dates: [formValues.date],
      overlaps: moved?.overlaps ?? [],
    }),
  };
}

interface LocalSlot {
  date: string;
  start: string;
  end: string;
}

export const hasDifferentTime = (session: ModelSession, to: LocalSlot): boolean =>
  session.date !== to.date || session.start !== to.start || session.end !== to.end;

/** A one-off lesson always has the date and time of its session. */
export function rescheduleOneOffLesson(lesson: ModelLesson, { date, start, end }: LocalSlot): void {
  const moved: Partial<ModelLesson> = { date, start, end, anchor: date, generatedUntil: date };
  Object.assign(lesson, moved);
}

/** Replaces the session with a new one; the two refer to each other. The occurrence in the series is not filled again. */
export function moveSession(
  state: ScheduleState,
  session: ModelSession,
  to: LocalSlot,
  accept: boolean,
) {
  const moved: ModelSession = {
    ...structuredClone(session),
    // A seat that was cancelled stays with the old session, and so does its charge. Paused students move with the session.
    seats: structuredClone(expectedOrPausedSeats(session)),
    id: ++state.ids.session,
    seriesDate: null,
    date: to.date,
    start: to.start,
    end: to.end,
    movedFrom: session.id,
    movedTo: null,
    charges: [],
  };
  restoreSeatsAfterMove(state, moved);
  repriceSession(state, moved);
  state.sessions.push(moved);
  session.status = 'rescheduled';
  session.movedTo = moved.id;
  return { session: moved, overlaps: requireAcceptance(state, [moved.id], accept) };
}
