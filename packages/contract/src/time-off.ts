import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { date, IdParams, id, optionalText, time } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

const endsNotBeforeFrom = z.refine<{ fromDate: string; toDate: string }>(
  (off) => off.toDate >= off.fromDate,
  {
    error: "The last day can't be before the first day",
    path: ['toDate'],
  },
);

/** The maximum number of current and future time-off entries. */
export const MAX_TIME_OFF = 500;
/** The maximum number of sessions that one time-off entry can cancel. */
export const MAX_TIME_OFF_SESSIONS = 2000;

export const TimeOffInput = z
  .object({
    fromDate: date('First day is required'),
    toDate: date('Last day is required'),
    /** For part of a day; set both or neither. */
    startTime: z.optional(z.nullable(time('Start time is required'))),
    endTime: z.optional(z.nullable(time('End time is required'))),
    reason: optionalText(200),
    /** The sessions to cancel without a fee; the others are kept. */
    cancelSessionIds: z._default(
      z.array(id('Please choose a lesson')).check(z.maxLength(MAX_TIME_OFF_SESSIONS)),
      [],
    ),
  })
  .check(endsNotBeforeFrom);
export type TimeOffInput = z.infer<typeof TimeOffInput>;

export const TimeOff = z.object({
  id: z.number(),
  fromDate: z.string(),
  toDate: z.string(),
  startTime: z.nullable(z.string()),
  endTime: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  /** How many of the cancelled sessions can be restored. */
  restorableSessions: z.number(),
});
export type TimeOff = z.infer<typeof TimeOff>;

/** Set both or neither; if both are omitted, the list starts today and has no end. */
const TimeOffQuery = z.object({ from: z.optional(date()), to: z.optional(date()) });
export type TimeOffQuery = z.infer<typeof TimeOffQuery>;

export const timeOff = defineEndpoints({
  listTimeOff: {
    method: 'GET',
    path: '/api/time-off',
    access: 'login',
    summary: 'Current and future time off, or the time off in an inclusive date range',
    query: TimeOffQuery,
    reply: z.array(TimeOff),
  },
  previewTimeOff: {
    method: 'POST',
    path: '/api/time-off/preview',
    access: 'login',
    summary: 'Scheduled sessions during the time off',
    body: TimeOffInput,
    reply: z.array(SessionRow),
  },
  createTimeOff: {
    method: 'POST',
    path: '/api/time-off',
    access: 'login',
    summary: 'Add time off and cancel the chosen sessions',
    body: TimeOffInput,
    reply: TimeOff,
    status: 201,
    idempotent: true,
  },
  deleteTimeOff: {
    method: 'DELETE',
    path: '/api/time-off/:id',
    access: 'login',
    summary: 'Delete time off and optionally restore the cancelled sessions',
    params: IdParams,
    query: z.object({ restore: z.optional(z.enum(['true', 'false'])) }),
    reply: z.object({
      restored: z.number(),
      /** The ids of the restored sessions. */
      sessionIds: z.array(z.number()),
      overlaps: z.array(Overlap),
    }),
  },
});
