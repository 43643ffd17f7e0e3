import type { Overlap } from '@lessonbook/contract/errors';
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

/** Sessions that nobody is to pay for: called off for nothing, or taught and waived. */
export const sessionsNotBillable = defineEvent<{ tutorId: string; sessionIds: number[] }>(
  'sessions-freed',
);

/** A session takes place at another time, as another row. */
export const sessionMoved = defineEvent<{ tutorId: string; fromId: number; toId: number }>(
  'session-moved',
);

/** Something about when lessons take place is different now. */
export const scheduleChanged = defineEvent<{ tutorId: string }>('schedule-changed');

/** Lessons overlap that nobody could be asked about. */
export const overlapsFound = defineEvent<{ tutorId: string; overlaps: Overlap[] }>(
  'overlaps-found',
);

/** A completion or cancellation is being taken back. Whoever depends on it may refuse. */
export const sessionReopened = defineEvent<{ tutorId: string; sessionId: number }>(
  'session-reopened',
);
