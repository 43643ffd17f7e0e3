import { isGroup } from '@lessonbook/contract/lesson-names';
import type { Attendance, CompleteManyInput, SessionRow } from '@lessonbook/contract/sessions';
import { type SeatOutcomes, toSeatInput } from './AttendanceFields.tsx';
import { type CompletionNote, hasText, NEW_NOTE, toNoteInput } from './FamilyNoteFields.tsx';

/* What the tutor enters for each lesson on the page where lessons are completed. */

export interface SessionOutcome {
  selected: boolean;
  /** Used for a group instead of the attendance and charge of a single student. */
  seats: SeatOutcomes;
  attendance: Attendance;
  charge: boolean;
  notes: string;
  note: CompletionNote;
}

/** Keyed by session id. Contains only sessions that differ from the default. */
type SessionOutcomes = Readonly<Record<number, SessionOutcome>>;

export type OutcomeOf = (session: Pick<SessionRow, 'id'>) => SessionOutcome;

/** If the page was opened for one session, only that one is selected. */
export const createDefault = (id: number, openedFor: number | undefined): SessionOutcome => ({
  selected: openedFor === undefined || id === openedFor,
  seats: {},
  attendance: 'attended',
  charge: true,
  notes: '',
  note: NEW_NOTE,
});

export interface CompleteFormValues {
  outcomes: SessionOutcomes;
}

export const toInput = (
  dueSessions: readonly SessionRow[],
  outcomeOf: OutcomeOf,
): CompleteManyInput => ({
  sessions: dueSessions
    .map((session) => ({ session, ...outcomeOf(session) }))
    .filter(({ selected }) => selected)
    .map(({ session, attendance, charge, seats, notes, note }) => ({
      id: session.id,
      ...(isGroup(session)
        ? { attendance: 'attended', charge: true, students: toSeatInput(session, seats) }
        : { attendance, charge }),
      ...(notes.trim() && { notes }),
      ...toNoteInput(note),
    })),
});

/** Keeps what was entered for the sessions that were not completed. */
export function omitCompleted({ outcomes }: CompleteFormValues, { sessions }: CompleteManyInput) {
  const completed = new Set(sessions.map(({ id }) => id));
  return filterOutcomes(outcomes, (id) => !completed.has(id));
}

/** Leaving the page asks for confirmation only if there is unsaved text. A changed selection is not worth a question. */
export const omitOutcomesWithText = ({ outcomes }: CompleteFormValues): CompleteFormValues => ({
  outcomes: filterOutcomes(outcomes, (_, { notes, note }) => notes.trim() === '' && !hasText(note)),
});

const filterOutcomes = (
  outcomes: SessionOutcomes,
  isKept: (id: number, outcome: SessionOutcome) => boolean,
): SessionOutcomes =>
  Object.fromEntries(
    Object.entries(outcomes).filter(([id, outcome]) => isKept(Number(id), outcome)),
  );
