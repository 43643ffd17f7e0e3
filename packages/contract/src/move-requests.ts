import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { publicId } from './portal.ts';
import {
  acceptOverlaps,
  date,
  IdParams,
  id,
  idParam,
  optionalText,
  time,
} from './schema-fields.ts';

/*
 * A family asks in the portal for another time for a lesson. Nothing changes until the tutor accepts one of the times, or the
 * family accepts one that the tutor suggested.
 */

/** A start in the tutor's time zone. The lesson keeps its length. */
export const LessonStart = z.object({
  date: date(),
  startTime: time('Please choose a time'),
});
export type LessonStart = z.infer<typeof LessonStart>;

/** The first and the second choice. */
export const MAX_MOVE_CHOICES = 2;
export const MAX_MOVE_SUGGESTIONS = 3;

export const MoveRequestInput = z
  .object({
    sessionId: id('Please choose a lesson'),
    studentId: id('Please choose a lesson'),
    /** The preferred one first. Empty if none of the free times suits; the message then says which times would. */
    choices: z
      .array(LessonStart)
      .check(z.maxLength(MAX_MOVE_CHOICES, 'You can choose up to two different times')),
    message: optionalText(500),
  })
  .check(
    z.refine(({ choices, message }) => choices.length > 0 || Boolean(message), {
      error: 'Please choose a time, or say which times would suit you',
      path: ['choices'],
    }),
  );
export type MoveRequestInput = z.infer<typeof MoveRequestInput>;

export const FreeTimes = z.object({
  /** The days with at least one free time, sorted by date. */
  days: z.array(z.object({ date: z.string(), startTimes: z.array(z.string()) })),
  /** The one closest to the usual time of the lesson; null if there are none. */
  closest: z.nullable(z.object({ date: z.string(), startTime: z.string() })),
});
export type FreeTimes = z.infer<typeof FreeTimes>;

const requestParams = z.object({ publicId, id: idParam });

export const portalMoveRequests = defineEndpoints({
  portalFreeTimes: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/free-times',
    access: 'contact',
    summary:
      'Times to which a lesson could be moved: when the tutor usually teaches and nothing is booked',
    params: z.object({ publicId }),
    query: z.object({ sessionId: idParam, studentId: idParam }),
    reply: FreeTimes,
  },
  askToMove: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/move-requests',
    access: 'contact',
    summary: 'Ask the tutor for another time; the lesson stays as it is until the tutor answers',
    params: z.object({ publicId }),
    body: MoveRequestInput,
    reply: z.object({ id: z.number() }),
    status: 201,
    idempotent: true,
  },
  withdrawMoveRequest: {
    method: 'DELETE',
    path: '/api/portal/tutors/:publicId/move-requests/:id',
    access: 'contact',
    summary:
      'Withdraw a request to move a lesson, or decline the times that the tutor suggested; the lesson stays as it is',
    params: requestParams,
    reply: z.object({}),
  },
  acceptSuggestion: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/move-requests/:id/accept',
    access: 'contact',
    // Fails with a conflict if the tutor is no longer free at that time.
    summary: 'Accept a time that the tutor suggested; the lesson is moved',
    params: requestParams,
    body: LessonStart,
    reply: z.object({}),
    idempotent: true,
  },
});

/** A request as the tutor sees it. */
export const MoveRequest = z.object({
  id: z.number(),
  /** Open: the tutor has to answer. Suggested: the family has to. */
  status: z.enum(['open', 'suggested']),
  sessionId: z.number(),
  studentId: z.number(),
  studentName: z.string(),
  contactName: z.string(),
  subjectName: z.string(),
  /** The current date and time of the lesson. */
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  choices: z.array(
    z.object({
      date: z.string(),
      startTime: z.string(),
      endTime: z.string(),
      /** What the tutor now has at that time, such as 'Sam, 5pm to 6pm' or 'Time off'; null if the time is still free. */
      conflict: z.nullable(z.string()),
      /** True if the time has passed, so that it can no longer be accepted. */
      isPast: z.boolean(),
    }),
  ),
  suggestions: z.array(z.object({ date: z.string(), startTime: z.string() })),
  message: z.string(),
  askedAt: z.string(),
});
export type MoveRequest = z.infer<typeof MoveRequest>;

export const SuggestTimesInput = z.object({
  suggestions: z
    .array(LessonStart)
    .check(
      z.minLength(1, 'Please choose a time'),
      z.maxLength(
        MAX_MOVE_SUGGESTIONS,
        `You can suggest up to ${MAX_MOVE_SUGGESTIONS} different times`,
      ),
    ),
  message: optionalText(500),
});
export type SuggestTimesInput = z.infer<typeof SuggestTimesInput>;

export const moveRequests = defineEndpoints({
  listMoveRequests: {
    method: 'GET',
    path: '/api/move-requests',
    access: 'login',
    summary: 'Open requests from families to move a lesson, earliest lesson first',
    query: z.object({ sessionId: z.optional(idParam) }),
    reply: z.array(MoveRequest),
  },
  acceptMoveRequest: {
    method: 'POST',
    path: '/api/move-requests/:id/accept',
    access: 'login',
    // Overlaps are reported in the same way as for rescheduleSession.
    summary:
      'Move the lesson to one of the times that the family asked for; the family is notified',
    params: IdParams,
    body: z.object({ ...LessonStart.shape, acceptOverlaps }),
    /** The session at its new time. */
    reply: z.object({ sessionId: z.number() }),
    idempotent: true,
  },
  suggestTimes: {
    method: 'POST',
    path: '/api/move-requests/:id/suggest',
    access: 'login',
    summary: 'Suggest other times to the family, who can accept one of them',
    params: IdParams,
    body: SuggestTimesInput,
    reply: z.object({}),
  },
  declineMoveRequest: {
    method: 'POST',
    path: '/api/move-requests/:id/decline',
    access: 'login',
    summary: 'Decline a request to move a lesson, which stays as it is; the family is notified',
    params: IdParams,
    body: z.object({ message: optionalText(500) }),
    reply: z.object({}),
  },
});
