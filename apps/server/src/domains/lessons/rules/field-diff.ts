import { toMinor } from '@lessonbook/contract/money';

/** The fields that a lesson and its sessions share, except the times. */
export interface CommonFields {
  studentId: number;
  subjectId: number;
  title: string;
  fee: number | null;
  currency: string;
  place: string | null;
  notes: string | null;
}

export type FieldChanges = Partial<CommonFields>;

interface FieldInput {
  studentId: number;
  subjectId: number;
  title: string;
  fee?: number | null | undefined;
  currency: string;
  place?: string | null | undefined;
  notes?: string | null | undefined;
}

/**
 * Returns only the fields changed in the dialog, so that an earlier edit to one session is not copied to the others
 * along with an unrelated change.
 */
export function diffFields(session: CommonFields, input: FieldInput): FieldChanges {
  const next: CommonFields = {
    studentId: input.studentId,
    subjectId: input.subjectId,
    title: input.title,
    fee: input.fee ? toMinor(input.fee) : null,
    currency: input.currency,
    place: input.place || null,
    notes: input.notes || null,
  };
  const entries = Object.entries(next) as [keyof CommonFields, never][];
  return Object.fromEntries(entries.filter(([key, value]) => session[key] !== value));
}

/** A session without notes (null) shows the lesson's notes; an empty string means that its notes were cleared. */
export function effectiveNotes(
  session: { notes: string | null },
  lesson: { notes: string | null },
): string | null {
  return (session.notes ?? lesson.notes) || null;
}

export const applyFields = <T extends CommonFields>(to: T, changes: FieldChanges): T => ({
  ...to,
  ...changes,
});

/** Omits the notes, which belong to a single session or to the lesson, not to every session in a series. */
export function toSessionColumns(changes: FieldChanges) {
  return {
    ...(changes.studentId === undefined ? {} : { student_id: changes.studentId }),
    ...(changes.subjectId === undefined ? {} : { subject_id: changes.subjectId }),
    ...(changes.title === undefined ? {} : { title: changes.title }),
    ...(changes.fee === undefined ? {} : { fee: changes.fee }),
    ...(changes.currency === undefined ? {} : { currency: changes.currency }),
    ...(changes.place === undefined ? {} : { place: changes.place }),
  };
}
