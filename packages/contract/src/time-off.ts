import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { date, IdParams, id, optionalText, time } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

/* When the tutor does not teach, and what a late cancellation costs. */

export const CancellationPolicy = z.object({
  noticeHours: z
    .number({ error: 'Please enter a number of hours' })
    .check(z.int(), z.minimum(0, 'Please enter 0 or more'), z.maximum(720, 'At most 720 hours')),
  feePercent: z
    .number({ error: 'Please enter a percentage' })
    .check(z.int(), z.minimum(0, 'Please enter 0 to 100'), z.maximum(100, 'Please enter 0 to 100')),
});
export type CancellationPolicy = z.infer<typeof CancellationPolicy>;

const endsNotBeforeFrom = z.refine<{ fromDate: string; toDate: string }>(
  (off) => off.toDate >= off.fromDate,
  {
    error: 'The last day must not be before the first',
    path: ['toDate'],
  },
);

export const TimeOffInput = z
  .object({
    fromDate: date('First day is required'),
    toDate: date('Last day is required'),
    /** Both or neither: part of a day. */
    startTime: z.optional(z.nullable(time('Start time is required'))),
    endTime: z.optional(z.nullable(time('End time is required'))),
    reason: optionalText(200),
    /** The sessions inside that are cancelled by the tutor, free; the others stay. */
    cancelSessionIds: z._default(z.array(id('Session is required')).check(z.maxLength(2000)), []),
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
  /** How many sessions it cancelled that could be restored. */
  cancelled: z.number(),
});
export type TimeOff = z.infer<typeof TimeOff>;

export const timeOff = defineEndpoints({
  listTimeOff: {
    method: 'GET',
    path: '/api/time-off',
    access: 'login',
    summary: 'Time off, now and to come',
    reply: z.array(TimeOff),
  },
  previewTimeOff: {
    method: 'POST',
    path: '/api/time-off/preview',
    access: 'login',
    summary: 'The scheduled sessions inside',
    body: TimeOffInput,
    reply: z.array(SessionRow),
  },
  createTimeOff: {
    method: 'POST',
    path: '/api/time-off',
    access: 'login',
    summary: 'Take time off and cancel the chosen sessions',
    body: TimeOffInput,
    reply: TimeOff,
    status: 201,
    idempotent: true,
  },
  deleteTimeOff: {
    method: 'DELETE',
    path: '/api/time-off/:id',
    access: 'login',
    summary: 'Remove it, and restore what it cancelled when asked',
    params: IdParams,
    query: z.object({ restore: z.optional(z.enum(['true', 'false'])) }),
    reply: z.object({
      restored: z.number(),
      /** Those that are scheduled again. */
      sessionIds: z.array(z.number()),
      overlaps: z.array(Overlap),
    }),
  },
  policy: {
    method: 'GET',
    path: '/api/settings/policy',
    access: 'login',
    summary: 'The cancellation policy',
    reply: CancellationPolicy,
  },
  updatePolicy: {
    method: 'PUT',
    path: '/api/settings/policy',
    access: 'login',
    summary: 'Change the cancellation policy',
    body: CancellationPolicy,
    reply: CancellationPolicy,
  },
});
