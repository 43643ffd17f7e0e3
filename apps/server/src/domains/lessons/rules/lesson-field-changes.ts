import { GOOGLE_MEET } from '@lessonbook/contract/detect-online-place';
import type { FeeSource } from '@lessonbook/contract/fee-source';
import { toMinor } from '@lessonbook/contract/money';
import { isAutomatic, type RosterEntry, type Seat, totalFee } from './seat-fees-and-rosters.ts';

/** The fields, apart from the times, that a lesson and its sessions have in common. */
export interface CommonFields {
  studentId: number;
  subjectId: number;
  title: string;
  fee: number | null;
  currency: string;
  place: string | null;
  usesGoogleMeet: boolean;
  travelFee: number | null;
  notes: string | null;
}

export type FieldChanges = Partial<CommonFields> & {
  /** The price of one place is set for groups only, whose `fee` is a sum. */
  seatFee?: number | null;
  /** Whether the fee follows the students' rates from now on. The price is then the default fee of the subject. */
  usesRates?: boolean;
};

interface FieldInput {
  studentId: number;
  subjectId: number;
  title: string;
  fee?: number | null | undefined;
  currency: string;
  place?: string | null | undefined;
  usesGoogleMeet?: boolean | undefined;
  travelFee?: number | null | undefined;
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
    ...toPlace(input, session.usesGoogleMeet),
    travelFee: input.travelFee === undefined ? session.travelFee : toTravelFee(input.travelFee),
    notes: input.notes || null,
  };
  const entries = Object.entries(next) as [keyof CommonFields, never][];
  return Object.fromEntries(entries.filter(([key, value]) => session[key] !== value));
}

/** A lesson that uses Google Meet has no other place. */
export function toPlace(
  { place, usesGoogleMeet }: Pick<FieldInput, 'place' | 'usesGoogleMeet'>,
  usedGoogleMeet: boolean,
): Pick<CommonFields, 'place' | 'usesGoogleMeet'> {
  const usesMeet = usesGoogleMeet ?? usedGoogleMeet;
  return { place: usesMeet ? GOOGLE_MEET : place || null, usesGoogleMeet: usesMeet };
}

/** In minor units; 0 means no travel fee. */
export const toTravelFee = (amount: number | null): number | null =>
  amount ? toMinor(amount) : null;

/**
 * Adds the source of the fee to the changes. A fee that differs from the session's was entered;
 * any other fee keeps its source unless `usesRates` is set.
 */
export function diffFeeSource(
  { fee, currency, ...changes }: FieldChanges,
  seats: readonly Seat[],
  input: { usesRates?: boolean | undefined; fee?: number | null | undefined; currency: string },
  /** The new subject, or the session's subject if the fee is to follow the rates from now on. */
  subject: { defaultFee: number; currency: string } | null,
): FieldChanges {
  const wasAutomatic = seats.some(isAutomatic);
  const isEntered = fee !== undefined || currency !== undefined;
  const usesRates = input.usesRates ?? (wasAutomatic && !isEntered);
  if (usesRates) {
    if (subject === null) return changes;
    const { defaultFee, currency: subjectCurrency } = subject;
    return { ...changes, usesRates, fee: defaultFee, currency: subjectCurrency };
  }
  const entered = {
    ...(fee === undefined ? {} : { fee }),
    ...(currency === undefined ? {} : { currency }),
  };
  if (!wasAutomatic) return { ...changes, ...entered };
  const enteredFee = input.fee ? toMinor(input.fee) : null;
  return { ...changes, usesRates, fee: enteredFee, currency: input.currency };
}

/** Like diffFeeSource, but for the price of one place. Students with their own price keep it. */
export function diffGroupFeeSource(
  changes: FieldChanges,
  lesson: { usesRates: boolean; fee: number | null; currency: string },
  input: { usesRates?: boolean | undefined },
  subject: { defaultFee: number; currency: string } | null,
): FieldChanges {
  const { seatFee = lesson.fee } = changes;
  const usesRates = input.usesRates ?? (lesson.usesRates && changes.seatFee === undefined);
  if (!usesRates) return lesson.usesRates ? { ...changes, usesRates, seatFee } : changes;
  const { fee: _, seatFee: __, ...others } = changes;
  if (subject === null) return others;
  const { defaultFee, currency } = subject;
  return {
    ...others,
    usesRates,
    seatFee: defaultFee,
    ...(currency === lesson.currency ? {} : { currency }),
  };
}

/** A session without notes (null) shows the lesson's notes; an empty string means that its notes were cleared. */
export function resolveNotes(
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
  const { studentId: _, seatFee, ...fields } = changes;
  const fee = seatFee === undefined ? {} : { fee: seatFee };
  return { ...lesson, ...fields, ...fee, roster: applyToRoster(lesson.roster, changes) };
}

/** Omits the notes, which belong to a single session or to the lesson, not to every session in a series. */
export function toSessionColumns(changes: FieldChanges) {
  return {
    ...(changes.subjectId === undefined ? {} : { subject_id: changes.subjectId }),
    ...(changes.title === undefined ? {} : { title: changes.title }),
    ...(changes.place === undefined ? {} : { place: changes.place }),
    // The old link is always cleared; the calendar sync sets the link of the event.
    ...(changes.usesGoogleMeet === undefined
      ? {}
      : { uses_google_meet: changes.usesGoogleMeet, meet_link: null }),
    ...(changes.travelFee === undefined ? {} : { travel_fee: changes.travelFee }),
  };
}

/** The student, fee and currency belong to the seats. A change of `usesRates` also sets the fee. */
export const hasSeatChanges = ({ studentId, fee, currency }: FieldChanges): boolean =>
  studentId !== undefined || fee !== undefined || currency !== undefined;

export function toSeatColumns(changes: FieldChanges, feeSource: FeeSource) {
  return {
    ...(changes.studentId === undefined ? {} : { student_id: changes.studentId }),
    ...(changes.fee === undefined
      ? {}
      : { fee: changes.fee, fee_source: changes.usesRates ? ('subject' as const) : feeSource }),
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
  session: Pick<CommonFields, 'subjectId' | 'title' | 'place' | 'usesGoogleMeet' | 'travelFee'> & {
    seats: readonly Seat[];
  },
  notes: string | null,
): CommonFields {
  const [first] = session.seats;
  if (!first) throw new Error('A session has no seats.');
  const { subjectId, title, place, usesGoogleMeet, travelFee } = session;
  return {
    studentId: first.studentId,
    subjectId,
    title,
    fee: totalFee(session.seats),
    currency: first.currency,
    place,
    usesGoogleMeet,
    travelFee,
    notes,
  };
}
