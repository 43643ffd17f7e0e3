import type { Overlap } from '@lessonbook/contract/errors';
import { AppError } from '../../platform/app-error.ts';
import { defineEvent } from '../../platform/events.ts';
import type { SeatRef } from './rules/seat-fees-and-rosters.ts';

export { type SeatRef, seatKey } from './rules/seat-fees-and-rosters.ts';

/** Sessions were completed. */
export const sessionsCompleted = defineEvent<{
  tutorId: string;
  /** The seats that are charged. */
  seats: readonly SeatRef[];
  /** The seats whose payers pay a travel fee, including free seats. */
  travelSeats: readonly SeatRef[];
}>('sessions-completed');

/** Seats, or all seats of a session, were cancelled and a cancellation fee applies. Fees are in minor units. */
export const cancelledWithFee = defineEvent<{
  tutorId: string;
  seats: readonly (SeatRef & { fee: number })[];
}>('cancelled-with-fee');

/** Seats that are not charged: cancelled without a fee, or completed with the fee waived. */
export const seatsNotBillable = defineEvent<{ tutorId: string; seats: readonly SeatRef[] }>(
  'seats-not-billable',
);

/** The tutor decided not to charge for cancelled seats after all. */
export const cancellationFeesWaived = defineEvent<{
  tutorId: string;
  seats: readonly SeatRef[];
}>('cancellation-fees-waived');

/** A session was rescheduled; `toId` is the row at the new time. */
export const sessionMoved = defineEvent<{ tutorId: string; fromId: number; toId: number }>(
  'session-moved',
);

/** Notes were shared with families. */
export const notesShared = defineEvent<{ tutorId: string }>('notes-shared');

/** Sessions were added, changed, rescheduled or removed. */
export const scheduleChanged = defineEvent<{ tutorId: string }>('schedule-changed');

/** A job found overlaps and accepted them, because no user is present to confirm them. */
export const overlapsFound = defineEvent<{ tutorId: string; overlaps: Overlap[] }>(
  'overlaps-found',
);

/** Completions or cancellations are being undone. A subscriber can prevent it by throwing a ReopenRefusedError. */
export const seatsReopened = defineEvent<{ tutorId: string; seats: readonly SeatRef[] }>(
  'seats-reopened',
);

/** Names the session that cannot be reopened. */
export class ReopenRefusedError extends AppError {
  readonly sessionId: number;
  constructor(sessionId: number, message: string) {
    super('conflict', message);
    this.sessionId = sessionId;
  }
}
