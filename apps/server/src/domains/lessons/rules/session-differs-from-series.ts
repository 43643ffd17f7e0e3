import { isAutomatic, type RosterEntry, rosterOn, type Seat } from './seat-fees-and-rosters.ts';

interface Fields {
  subjectId: number;
  title: string;
  startTime: string;
  endTime: string;
  travelFee: number | null;
}

/**
 * Whether a session has been edited individually or was left out of a change to its series. Changes to the place and the
 * notes are ignored.
 */
export function differsFromSeries(
  session: Fields & {
    date: string;
    seats: readonly Pick<Seat, 'studentId' | 'fee' | 'currency' | 'feeSource'>[];
  },
  lesson: Fields & {
    fee: number | null;
    currency: string;
    usesRates: boolean;
    roster: readonly RosterEntry[];
  },
): boolean {
  const roster = rosterOn(lesson.roster, session.date);
  const hasOtherFee = (seat: (typeof session.seats)[number]) => {
    const entry = roster.find(({ studentId }) => studentId === seat.studentId);
    if (!entry || seat.feeSource === 'session') return true;
    const usesRate = entry.fee === null && lesson.usesRates;
    if (usesRate || isAutomatic(seat)) return usesRate !== isAutomatic(seat);
    return seat.currency !== lesson.currency || seat.fee !== ((entry.fee ?? lesson.fee) || null);
  };
  return (
    session.subjectId !== lesson.subjectId ||
    session.title !== lesson.title ||
    session.startTime !== lesson.startTime ||
    session.endTime !== lesson.endTime ||
    session.travelFee !== lesson.travelFee ||
    session.seats.some(hasOtherFee)
  );
}
