import type { Overlap } from '@lessonbook/contract/errors';
import { AppError } from '../../platform/app-error.ts';
import { defineEvent } from '../../platform/events.ts';

/** Billable sessions were completed. */
export const sessionCompleted = defineEvent<{ tutorId: string; sessionIds: number[] }>(
  'session-completed',
);

/** A session was cancelled and a cancellation fee applies. The fee is in minor units. */
export const sessionCancelledWithFee = defineEvent<{
  tutorId: string;
  sessionId: number;
  fee: number;
}>('session-cancelled-with-fee');

/** Sessions that are not charged: cancelled without a fee, or completed with the fee waived. */
export const sessionsNotBillable = defineEvent<{ tutorId: string; sessionIds: number[] }>(
  'sessions-not-billable',
);

/** A session was rescheduled; `toId` is the row at the new time. */
export const sessionMoved = defineEvent<{ tutorId: string; fromId: number; toId: number }>(
  'session-moved',
);

/** Sessions were added, changed, rescheduled or removed. */
export const scheduleChanged = defineEvent<{ tutorId: string }>('schedule-changed');

/** A job found overlaps and accepted them, because no user is present to confirm them. */
export const overlapsFound = defineEvent<{ tutorId: string; overlaps: Overlap[] }>(
  'overlaps-found',
);

/** Completions or cancellations are being undone. A subscriber can prevent it by throwing a ReopenRefusedError. */
export const sessionsReopened = defineEvent<{ tutorId: string; sessionIds: number[] }>(
  'sessions-reopened',
);

/** Names the session that cannot be reopened. */
export class ReopenRefusedError extends AppError {
  readonly sessionId: number;
  constructor(sessionId: number, message: string) {
    super('conflict', message);
    this.sessionId = sessionId;
  }
}
