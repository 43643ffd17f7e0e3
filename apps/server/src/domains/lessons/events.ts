import { defineEvent } from '../../platform/events.ts';

/** Sessions were ticked off that the tutor wants paid. */
export const sessionCompleted = defineEvent<{ tutorId: string; sessionIds: number[] }>(
  'session-completed',
);

/** A session was called off late enough to cost something. The fee is in minor units. */
export const sessionCancelledWithFee = defineEvent<{
  tutorId: string;
  sessionId: number;
  fee: number;
}>('session-cancelled-with-fee');

/** A completion or cancellation is being taken back. Whoever depends on it may refuse. */
export const sessionReopened = defineEvent<{ tutorId: string; sessionId: number }>(
  'session-reopened',
);
