import type { Currency } from '@lessonbook/contract/money';
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
