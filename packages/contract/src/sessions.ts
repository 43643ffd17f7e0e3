import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import {
  acceptOverlaps,
  currency,
  date,
  endsAfterStart,
  IdParams,
  id,
  optionalText,
  time,
} from './schema-fields.ts';
import { SUBJECT_COLORS } from './subjects.ts';

/** A session is one occurrence of a lesson: what is attended, completed, cancelled, moved and paid. */
export const SESSION_STATUSES = ['scheduled', 'completed', 'cancelled', 'rescheduled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export const ATTENDANCES = ['attended', 'late', 'absent'] as const;
export type Attendance = (typeof ATTENDANCES)[number];
export const CANCELLERS = ['tutor', 'student', 'carer'] as const;

/** One row of a calendar or a list: what it shows and no more. */
export const SessionRow = z.object({
  id: z.number(),
  lessonId: z.number(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  status: z.enum(SESSION_STATUSES),
  title: z.string(),
  studentId: z.number(),
  studentName: z.string(),
  subjectId: z.number(),
  subjectName: z.string(),
  subjectColor: z.enum(SUBJECT_COLORS),
  fee: z.nullable(z.number()),
  currency,
  place: z.nullable(z.string()),
  isRecurring: z.boolean(),
  /** What is charged for it and still open, in minor units; none is no charge. */
  charged: z.nullable(z.number()),
  outstanding: z.nullable(z.number()),
  /** The payment that completed it; none while anything is open. */
  paymentId: z.nullable(z.number()),
});
export type SessionRow = z.infer<typeof SessionRow>;

const linked = z.nullable(
  z.object({ id: z.number(), date: z.string(), startTime: z.string(), endTime: z.string() }),
);

export const Session = z.extend(SessionRow, {
  duration: z.number(),
  notes: z.nullable(z.string()),
  attendance: z.nullable(z.enum(ATTENDANCES)),
  cancelledBy: z.nullable(z.enum(CANCELLERS)),
  cancelReason: z.nullable(z.string()),
  rescheduledToSessionId: z.nullable(z.number()),
  rescheduledFromSessionId: z.nullable(z.number()),
  rescheduledTo: linked,
  rescheduledFrom: linked,
  /** The issued invoice that its charge stands on. */
  invoice: z.nullable(z.object({ id: z.number(), number: z.string() })),
  familyId: z.nullable(z.number()),
});
export type Session = z.infer<typeof Session>;

export const RescheduleInput = z
  .object({
    date: date('Date is required'),
    startTime: time('Start time is required'),
    endTime: time('End time is required'),
    acceptOverlaps,
  })
  .check(endsAfterStart);
export type RescheduleInput = z.infer<typeof RescheduleInput>;

export const CompleteInput = z.object({
  attendance: z._default(z.enum(ATTENDANCES), 'attended'),
  /** An absence is charged unless waived. */
  charge: z._default(z.boolean(), true),
  notes: optionalText(4000),
});
export type CompleteInput = z.infer<typeof CompleteInput>;

export const CompleteManyInput = z.object({
  sessions: z
    .array(z.extend(CompleteInput, { id: id('Session is required') }))
    .check(z.minLength(1, 'Tick at least one lesson'), z.maxLength(200)),
});
export type CompleteManyInput = z.infer<typeof CompleteManyInput>;

/** What was ticked off in one go is taken back in one go. */
export const ReopenManyInput = z.object({
  ids: z
    .array(id('Session is required'))
    .check(z.minLength(1, 'Session is required'), z.maxLength(200)),
});
export type ReopenManyInput = z.infer<typeof ReopenManyInput>;

export const CancelInput = z.object({
  cancelledBy: z.enum(CANCELLERS, { error: 'Please say who cancelled' }),
  reason: optionalText(500),
  /** The proposed fee is charged, or waived. The amount itself is the server's. */
  chargeFee: z._default(z.boolean(), false),
});
export type CancelInput = z.infer<typeof CancelInput>;

/** What cancelling now would cost, with the reason in words. */
export const CancellationProposal = z.object({
  noticeMinutes: z.number(),
  fee: z.nullable(z.number()),
  currency,
  reason: z.string(),
});
export type CancellationProposal = z.infer<typeof CancellationProposal>;

const RangeQuery = z.object({ from: date(), to: date() });
const rows = z.array(SessionRow);

export const sessions = defineEndpoints({
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    access: 'login',
    summary: 'Sessions of a range of dates, both included',
    query: RangeQuery,
    reply: rows,
  },
  sessionsByDate: {
    method: 'GET',
    path: '/api/sessions/by-date/:date',
    access: 'login',
    summary: 'Sessions of one day',
    params: z.object({ date: date() }),
    reply: rows,
  },
  dueSessions: {
    method: 'GET',
    path: '/api/sessions/due',
    access: 'login',
    summary: 'Sessions that have ended and wait to be ticked off, oldest first',
    reply: rows,
  },
  session: {
    method: 'GET',
    path: '/api/sessions/:id',
    access: 'login',
    summary: 'One session',
    params: IdParams,
    reply: Session,
  },
  completeSession: {
    method: 'POST',
    path: '/api/sessions/:id/complete',
    access: 'login',
    summary: 'Tick off, with attendance, charged or waived',
    params: IdParams,
    body: CompleteInput,
    reply: Session,
  },
  completeSessions: {
    method: 'POST',
    path: '/api/sessions/complete',
    access: 'login',
    summary: 'Tick off several at once, all or none',
    body: CompleteManyInput,
    reply: z.object({ completed: z.number() }),
  },
  cancellationProposal: {
    method: 'GET',
    path: '/api/sessions/:id/cancellation',
    access: 'login',
    summary: 'The fee that the policy proposes',
    params: IdParams,
    query: z.object({ cancelledBy: z.enum(CANCELLERS) }),
    reply: CancellationProposal,
  },
  cancelSession: {
    method: 'POST',
    path: '/api/sessions/:id/cancel',
    access: 'login',
    summary: 'Cancel, with who, why, and fee or none',
    params: IdParams,
    body: CancelInput,
    reply: Session,
  },
  rescheduleSession: {
    method: 'POST',
    path: '/api/sessions/:id/reschedule',
    access: 'login',
    summary: 'Move one session; the two are linked',
    params: IdParams,
    body: RescheduleInput,
    reply: Session,
    idempotent: true,
  },
  reopenSession: {
    method: 'POST',
    path: '/api/sessions/:id/reopen',
    access: 'login',
    summary: 'Take back a completion or cancellation; its charge is reversed',
    params: IdParams,
    body: z.object({ acceptOverlaps }),
    reply: Session,
  },
  reopenSessions: {
    method: 'POST',
    path: '/api/sessions/reopen',
    access: 'login',
    summary: 'Take back several completions at once, all or none; overlaps are accepted',
    body: ReopenManyInput,
    reply: z.object({ reopened: z.number() }),
  },
  undoReschedule: {
    method: 'POST',
    path: '/api/sessions/:id/move-back',
    access: 'login',
    summary:
      'Take back a move: the session takes place at its old time again; overlaps are accepted',
    params: IdParams,
    reply: Session,
  },
});
