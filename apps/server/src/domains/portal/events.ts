import type { Currency } from '@lessonbook/contract/money';
import type { LessonStart } from '@lessonbook/contract/move-requests';
import { defineEvent } from '../../platform/events.ts';

export interface CancelledLesson {
  sessionId: number;
  /** The student's first name. */
  studentName: string;
  date: string;
  startTime: string;
  /** Minor units. */
  fee: number;
  currency: Currency;
  usesFreeCancellation: boolean;
}

/** A contact cancelled lessons in the family portal, in the order of their dates. */
export const lessonsCancelledByFamily = defineEvent<{
  tutorId: string;
  cancellationId: number;
  /** The contact's first name. */
  contactName: string;
  lessons: readonly CancelledLesson[];
}>('lessons-cancelled-by-family');

interface MoveRequestFacts {
  tutorId: string;
  requestId: number;
  contactId: number;
  /** The contact's first name. */
  contactName: string;
  sessionId: number;
  studentId: number;
  /** The student's first name. */
  studentName: string;
  /** The time of the lesson when the contact asked. */
  date: string;
  startTime: string;
}

/** A contact asked to move a lesson. `choices` is empty if none of the free times suits. */
export const moveRequested = defineEvent<MoveRequestFacts & { choices: readonly LessonStart[] }>(
  'move-requested',
);

/** The lesson was moved to `to`; `toSessionId` is the session at that time. */
export const moveRequestAccepted = defineEvent<
  MoveRequestFacts & { to: LessonStart; toSessionId: number; acceptedBy: 'tutor' | 'family' }
>('move-request-accepted');

export const timesSuggested = defineEvent<
  MoveRequestFacts & { suggestions: readonly LessonStart[]; answer: string | null }
>('times-suggested');

export const moveRequestDeclined = defineEvent<MoveRequestFacts & { answer: string | null }>(
  'move-request-declined',
);

/** The contact accepts none of the times that the tutor suggested. */
export const suggestionsDeclined = defineEvent<MoveRequestFacts>('suggestions-declined');

/** The lesson has started, and the request was not answered. */
export const moveRequestExpired = defineEvent<MoveRequestFacts>('move-request-expired');

/** A contact changed their own email address or phone number in the portal. */
export const contactDetailsChanged = defineEvent<{
  tutorId: string;
  contactId: number;
  contactName: string;
  /** One of the students of the contact. */
  studentId: number;
  field: 'email' | 'phone';
  before: string | null;
  after: string;
}>('contact-details-changed');
