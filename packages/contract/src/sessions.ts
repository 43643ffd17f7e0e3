import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { FEE_SOURCES } from './fee-source.ts';
import { SaveNoteInput, SessionNotesInput } from './lesson-notes.ts';
import {
  acceptOverlaps,
  currency,
  date,
  endsAfterStart,
  IdParams,
  id,
  minorUnits,
  optionalText,
  time,
} from './schema-fields.ts';
import { Student } from './students.ts';
import { SUBJECT_COLORS } from './subjects.ts';

/** A session is one occurrence of a lesson. Completing, cancelling, moving and paying all apply to sessions. */
export const SESSION_STATUSES = ['scheduled', 'completed', 'cancelled', 'rescheduled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export const ATTENDANCE_STATUSES = ['attended', 'late', 'absent'] as const;
export type Attendance = (typeof ATTENDANCE_STATUSES)[number];
export const CANCELLING_PARTIES = ['tutor', 'student', 'carer'] as const;

/** The largest number of students in a lesson. */
export const MAX_GROUP_STUDENTS = 60;

export const SEAT_STATES = ['expected', 'cancelled'] as const;
export type SeatState = (typeof SEAT_STATES)[number];

/** A student's place in a session. Cancelled means for this student only. */
export const SessionStudent = z.object({
  studentId: z.number(),
  name: z.string(),
  state: z.enum(SEAT_STATES),
  attendance: z.nullable(z.enum(ATTENDANCE_STATUSES)),
  fee: z.nullable(minorUnits),
  feeSource: z.enum(FEE_SOURCES),
  charged: z.nullable(minorUnits),
  outstanding: z.nullable(minorUnits),
  paymentId: z.nullable(z.number()),
});
export type SessionStudent = z.infer<typeof SessionStudent>;

/** A row in a list. For a group, studentId is the first student, studentName lists all, and the amounts are sums. */
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
  fee: z.nullable(minorUnits),
  currency,
  place: z.nullable(z.string()),
  isRecurring: z.boolean(),
  /** The charged and unpaid amounts, with a travel fee; null if there is no charge. `charged` is 0 if it was written off. */
  charged: z.nullable(minorUnits),
  outstanding: z.nullable(minorUnits),
  /** The payment that settled the charge; null while part of it is unpaid. */
  paymentId: z.nullable(z.number()),
  students: z.array(SessionStudent),
});
export type SessionRow = z.infer<typeof SessionRow>;

const linkedSession = z.nullable(
  z.object({ id: z.number(), date: z.string(), startTime: z.string(), endTime: z.string() }),
);

export const Session = z.extend(SessionRow, {
  duration: z.number(),
  notes: z.nullable(z.string()),
  usesGoogleMeet: z.boolean(),
  travelFee: z.nullable(minorUnits),
  /** Null for a group whose students differ. */
  attendance: z.nullable(z.enum(ATTENDANCE_STATUSES)),
  cancelledBy: z.nullable(z.enum(CANCELLING_PARTIES)),
  cancelReason: z.nullable(z.string()),
  rescheduledToSessionId: z.nullable(z.number()),
  rescheduledFromSessionId: z.nullable(z.number()),
  rescheduledTo: linkedSession,
  rescheduledFrom: linkedSession,
  /** The issued invoice that includes the session's charge; null if there are several. */
  invoice: z.nullable(z.object({ id: z.number(), number: z.string() })),
  /** The account that was charged or will be; null if there are several. */
  familyId: z.nullable(z.number()),
  /** The notes of the latest earlier session of these students in this subject that has notes. */
  previousNotes: z.nullable(z.object({ id: z.number(), date: z.string(), notes: z.string() })),
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

/** The date and time of a session before it was moved with its series. */
export const PreviousTime = z.object({
  sessionId: id('Please choose a lesson'),
  date: date(),
  startTime: time('Start time is required'),
  endTime: time('End time is required'),
});
export type PreviousTime = z.infer<typeof PreviousTime>;

export const CompleteInput = z.object({
  attendance: z._default(z.enum(ATTENDANCE_STATUSES), 'attended'),
  /** An absence is charged unless the tutor waives it. */
  charge: z._default(z.boolean(), true),
  notes: optionalText(4000),
  /** The note for the families. In a group, each family gets it for their own child. */
  familyNote: z.optional(SaveNoteInput),
  /** Students of a group whose attendance or charge differs. */
  students: z.optional(
    z
      .array(
        z.object({
          studentId: id('Student is required'),
          attendance: z._default(z.enum(ATTENDANCE_STATUSES), 'attended'),
          charge: z._default(z.boolean(), true),
        }),
      )
      .check(z.maxLength(MAX_GROUP_STUDENTS)),
  ),
});
export type CompleteInput = z.infer<typeof CompleteInput>;

export const CompleteManyInput = z.object({
  sessions: z
    .array(z.extend(CompleteInput, { id: id('Please choose a lesson') }))
    .check(z.minLength(1, 'Choose at least one lesson'), z.maxLength(200)),
});
export type CompleteManyInput = z.infer<typeof CompleteManyInput>;

/** Undoes completeSessions, including the notes for families that it shared. */
export const ReopenManyInput = z.object({
  ids: z
    .array(id('Please choose a lesson'))
    .check(z.minLength(1, 'Please choose a lesson'), z.maxLength(200)),
});
export type ReopenManyInput = z.infer<typeof ReopenManyInput>;

export const CancelInput = z.object({
  cancelledBy: z.enum(CANCELLING_PARTIES, { error: 'Please say who cancelled' }),
  reason: optionalText(500),
  /** Whether to charge the proposed fee; the server computes the amount. */
  chargeFee: z._default(z.boolean(), false),
});
export type CancelInput = z.infer<typeof CancelInput>;

/** The fee for cancelling now, and the reason for the fee as text. */
export const CancellationProposal = z.object({
  noticeMinutes: z.number(),
  fee: z.nullable(minorUnits),
  currency,
  reason: z.string(),
  /** When free cancellation ends for the family; null if it never does. */
  freeUntil: z.nullable(z.string()),
});
export type CancellationProposal = z.infer<typeof CancellationProposal>;

/** The largest range of the session list: its days, and the seats of all its sessions. */
export const MAX_RANGE_DAYS = 100;
export const MAX_RANGE_SEATS = 5_000;

const rows = z.array(SessionRow);

export const sessions = defineEndpoints({
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    access: 'login',
    summary: 'Sessions in an inclusive date range',
    query: z.object({ from: date(), to: date() }),
    reply: rows,
  },
  sessionsByDate: {
    method: 'GET',
    path: '/api/sessions/by-date/:date',
    access: 'login',
    summary: 'Sessions on one day',
    params: z.object({ date: date() }),
    reply: rows,
  },
  dueSessions: {
    method: 'GET',
    path: '/api/sessions/due',
    access: 'login',
    summary: 'Sessions that have ended but are not completed, oldest first',
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
  sessionStudents: {
    method: 'GET',
    path: '/api/sessions/:id/students',
    access: 'login',
    summary: 'The students of a session with their contacts; archived students are left out',
    params: IdParams,
    reply: z.array(Student),
  },
  updateSessionNotes: {
    method: 'PUT',
    path: '/api/sessions/:id/notes',
    access: 'login',
    summary: 'Change the notes of one session, whatever its status',
    params: IdParams,
    body: SessionNotesInput,
    reply: Session,
  },
  completeSession: {
    method: 'POST',
    path: '/api/sessions/:id/complete',
    access: 'login',
    summary: 'Complete a session, with its attendance and whether to charge for it',
    params: IdParams,
    body: CompleteInput,
    reply: Session,
  },
  completeSessions: {
    method: 'POST',
    path: '/api/sessions/complete',
    access: 'login',
    summary: 'Complete several sessions, all or none',
    body: CompleteManyInput,
    reply: z.object({ completed: z.number() }),
    idempotent: true,
  },
  cancellationProposal: {
    method: 'GET',
    path: '/api/sessions/:id/cancellation',
    access: 'login',
    summary: 'The fee for cancelling a session, under the cancellation policy',
    params: IdParams,
    query: z.object({ cancelledBy: z.enum(CANCELLING_PARTIES) }),
    reply: CancellationProposal,
  },
  cancelSession: {
    method: 'POST',
    path: '/api/sessions/:id/cancel',
    access: 'login',
    summary: 'Cancel a session, with or without charging the cancellation fee',
    params: IdParams,
    body: CancelInput,
    reply: Session,
  },
  rescheduleSession: {
    method: 'POST',
    path: '/api/sessions/:id/reschedule',
    access: 'login',
    summary: 'Move a session; the old and the new one are linked',
    params: IdParams,
    body: RescheduleInput,
    reply: Session,
    idempotent: true,
  },
  reopenSession: {
    method: 'POST',
    path: '/api/sessions/:id/reopen',
    access: 'login',
    summary: 'Undo completing or cancelling a session: reverse its charge, withdraw its notes',
    params: IdParams,
    body: z.object({ acceptOverlaps, withdrawNotes: z._default(z.boolean(), false) }),
    reply: Session,
  },
  reopenSessions: {
    method: 'POST',
    path: '/api/sessions/reopen',
    access: 'login',
    summary: 'Undo completing several sessions, all or none, even if they overlap',
    body: ReopenManyInput,
    reply: z.object({ reopened: z.number() }),
  },
  undoReschedule: {
    method: 'POST',
    path: '/api/sessions/:id/undo-reschedule',
    access: 'login',
    summary: 'Undo moving a session, even if its old time now overlaps with another session',
    params: IdParams,
    reply: Session,
  },
});
