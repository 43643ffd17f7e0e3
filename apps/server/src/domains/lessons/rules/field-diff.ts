import { toMinor } from '@lessonbook/contract/money';

/** What a lesson and each of its sessions have in common besides their times. */
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
 * Only what the tutor changed in the dialog travels to the other sessions: an edit that one session had before must not
 * spread with an unrelated change.
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

/** A session shows the lesson's notes until it has its own; its own may also be none, kept as an empty text. */
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

/** Notes belong to the one session or to the lesson, never to every session of a series. */
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
