import type { RecurrencePattern } from '../time-zones/zone-oracle.ts';
import {
  assertScheduled,
  type Fields,
  type ModelConsequences,
  type ModelLesson,
  type ModelSession,
  requireAcceptance,
  type ScheduleState,
  summarizeChange,
} from './schedule-model.ts';

/* The lesson dialog, and changes to a single session. */

export interface LessonFormValues extends Fields {
  date: string;
  start: string;
  end: string;
  notes: string | null;
  repeats: boolean;
  pattern: RecurrencePattern;
  endDate: string | null;
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

/** Only the fields that the tutor changed in the dialog are applied to other sessions. */
export function changedFields(
  session: ModelSession,
  formValues: LessonFormValues,
): Partial<Fields> {
  return Object.fromEntries(
    FIELDS.filter((key) => session[key] !== formValues[key]).map((key) => [key, formValues[key]]),
  );
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
  const fields = changedFields(chosen, formValues);
  const notesChanged = hasChangedNotes(lesson, chosen, formValues);
  const edited = notesChanged || Object.keys(fields).length > 0;
  Object.assign(chosen, fields);
  // An empty string means that the notes were cleared for this session only.
  if (notesChanged) chosen.notes = formValues.notes ?? '';
  if (edited && lesson.repeats) chosen.edited = true;
  const timeChanged = hasDifferentTime(chosen, formValues);
  const moved = timeChanged ? moveSession(state, chosen, formValues, input.accept) : null;
  if (!lesson.repeats) {
    Object.assign(lesson, fields);
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
    id: ++state.ids.session,
    seriesDate: null,
    date: to.date,
    start: to.start,
    end: to.end,
    movedFrom: session.id,
    movedTo: null,
    charges: [],
  };
  state.sessions.push(moved);
  session.status = 'rescheduled';
  session.movedTo = moved.id;
  return { session: moved, overlaps: requireAcceptance(state, [moved.id], accept) };
}
