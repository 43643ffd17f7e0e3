import type { FeeSource } from '@lessonbook/contract/fee-source';
import { toMinor } from '@lessonbook/contract/money';
import { type RosterEntry, type Seat, totalFee } from './seats.ts';

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

/** The price of one place is set for groups only, whose `fee` is a sum. */
export type FieldChanges = Partial<CommonFields> & { placeFee?: number | null };

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

/** The lesson with the changed fields. The student belongs to the roster. */
export function applyFields<T extends Omit<CommonFields, 'studentId'> & { roster: RosterEntry[] }>(
  lesson: T,
  changes: FieldChanges,
): T {
  const { studentId: _, placeFee, ...fields } = changes;
  const fee = placeFee === undefined ? {} : { fee: placeFee };
  return { ...lesson, ...fields, ...fee, roster: applyToRoster(lesson.roster, changes) };
}

/** Omits the notes, which belong to a single session or to the lesson, not to every session in a series. */
export function toSessionColumns(changes: FieldChanges) {
  return {
    ...(changes.subjectId === undefined ? {} : { subject_id: changes.subjectId }),
    ...(changes.title === undefined ? {} : { title: changes.title }),
    ...(changes.place === undefined ? {} : { place: changes.place }),
  };
}

/** The student, fee and currency belong to the seats. */
export const changesSeats = ({ studentId, fee, currency }: FieldChanges): boolean =>
  studentId !== undefined || fee !== undefined || currency !== undefined;

export function toSeatColumns(changes: FieldChanges, feeSource: FeeSource) {
  return {
    ...(changes.studentId === undefined ? {} : { student_id: changes.studentId }),
    ...(changes.fee === undefined ? {} : { fee: changes.fee, fee_source: feeSource }),
    ...(changes.currency === undefined ? {} : { currency: changes.currency }),
  };
}

/** The roster of a lesson with one student after the student or the fee was changed in the dialog. */
function applyToRoster(
  roster: readonly RosterEntry[],
  { studentId, fee }: FieldChanges,
): RosterEntry[] {
  return roster.map((entry) => ({
    ...entry,
    ...(studentId === undefined ? {} : { studentId }),
    ...(fee === undefined ? {} : { fee: null }),
  }));
}

/** The session's fields as the dialog shows them. For a group, the first student and the sum of the fees. */
export function toCommonFields(
  session: Pick<CommonFields, 'subjectId' | 'title' | 'place'> & { seats: readonly Seat[] },
  notes: string | null,
): CommonFields {
  const [first] = session.seats;
  if (!first) throw new Error('A session has no seats.');
  const { subjectId, title, place } = session;
  return {
    studentId: first.studentId,
    subjectId,
    title,
    fee: totalFee(session.seats),
    currency: first.currency,
    place,
    notes,
  };
}
