import * as z from 'zod/mini';
import { addDaysToDate } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import { Overlap } from './errors.ts';
import { CHANNELS } from './messages.ts';
import { Balance } from './payments.ts';
import { currency, date, id, minorUnits } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';
import { Student } from './students.ts';

/* Students who leave for good, one by one or at the end of the exam season. */

const MAX_LEAVING_STUDENTS = 100;

/** Families can still read notes and download invoices for this long, unless the tutor chooses another date. */
const PORTAL_DAYS_AFTER_LEAVING = 30;

export const defaultPortalEnd = (lastDate: string): string =>
  addDaysToDate(lastDate, PORTAL_DAYS_AFTER_LEAVING);

/** What happens to the lessons between the last day and the end of the notice period. */
const NOTICE_ACTIONS = ['charge', 'keep'] as const;
export type NoticeAction = (typeof NOTICE_ACTIONS)[number];

const departure = {
  studentIds: z
    .array(id('Please choose a student'))
    .check(
      z.minLength(1, 'Please choose at least one student'),
      z.maxLength(MAX_LEAVING_STUDENTS, 'Please choose fewer students'),
    ),
  /** Lessons after this day are cancelled without a fee. */
  lastDate: date('Date is required'),
  /** The last day of the notice period. If there is none, no lesson is charged. */
  noticeUntil: z.optional(z.nullable(date())),
  inNotice: z._default(z.enum(NOTICE_ACTIONS), 'charge'),
  /** The last day on which the contacts see the student in the family portal. */
  portalEndsOn: date('Date is required'),
};

type Dates = {
  lastDate: string;
  noticeUntil?: string | null | undefined;
  portalEndsOn: string;
};

const noticeEndsAfterLastDay = z.refine<Dates>(
  ({ lastDate, noticeUntil }) => !noticeUntil || noticeUntil > lastDate,
  { error: 'Notice must end after the last day', path: ['noticeUntil'] },
);
const portalEndsAfterLastDay = z.refine<Dates>(
  ({ lastDate, portalEndsOn }) => portalEndsOn >= lastDate,
  { error: "Access can't end before the last day", path: ['portalEndsOn'] },
);

export const DepartureInput = z
  .object(departure)
  .check(noticeEndsAfterLastDay, portalEndsAfterLastDay);
export type DepartureInput = z.infer<typeof DepartureInput>;

export const SaveDepartureInput = z
  .object({
    ...departure,
    /** From the preview. Nothing is saved if the preview is no longer correct. */
    fingerprint: z.string().check(z.minLength(1), z.maxLength(100)),
    /** Whether to draft a message to each family. */
    drafts: z._default(z.boolean(), true),
  })
  .check(noticeEndsAfterLastDay, portalEndsAfterLastDay);
export type SaveDepartureInput = z.infer<typeof SaveDepartureInput>;

/** A session that changes. It does not list its students, because a whole group can leave at once. */
export const LeavingSession = z.extend(
  z.pick(SessionRow, { id: true, date: true, startTime: true }),
  {
    /** The name of a group with its size and subject, otherwise the title or the subject. */
    label: z.string(),
    isGroup: z.boolean(),
  },
);
export type LeavingSession = z.infer<typeof LeavingSession>;

export const LeavingStudent = z.object({
  student: Student,
  /** Sessions that are cancelled without a fee. A group takes place for its other students. */
  cancelled: z.array(LeavingSession),
  /** Sessions in the notice period that are cancelled and charged. */
  charged: z.array(z.object({ session: LeavingSession, amount: minorUnits, currency })),
  /** Sessions that were cancelled because of an earlier last day and are now restored. */
  restored: z.array(LeavingSession),
  overlaps: z.array(Overlap),
});
export type LeavingStudent = z.infer<typeof LeavingStudent>;

export const LeavingFamily = z.object({
  familyId: z.number(),
  name: z.string(),
  /** First names of the students who are leaving. */
  students: z.array(z.string()),
  /** What the family owes, or its credit, after the change. */
  balances: z.array(Balance),
  /** Lessons that are not on an invoice yet. */
  uninvoiced: z.array(z.object({ currency, amount: minorUnits, lessons: z.number() })),
  /** The message that is drafted; null for a family that only pays. */
  message: z.nullable(
    z.object({
      toName: z.string(),
      channel: z.enum(CHANNELS),
      address: z.nullable(z.string()),
      /** Why no message is drafted, or null. */
      problem: z.nullable(z.string()),
      subject: z.string(),
      text: z.string(),
    }),
  ),
});
export type LeavingFamily = z.infer<typeof LeavingFamily>;

export const DeparturePreview = z.object({
  fingerprint: z.string(),
  students: z.array(LeavingStudent),
  families: z.array(LeavingFamily),
});
export type DeparturePreview = z.infer<typeof DeparturePreview>;

export const departures = defineEndpoints({
  previewDeparture: {
    method: 'POST',
    path: '/api/departures/preview',
    access: 'login',
    summary:
      'Preview students leaving: their lessons, the accounts of their families and the messages',
    body: DepartureInput,
    reply: DeparturePreview,
  },
  saveDeparture: {
    method: 'POST',
    path: '/api/departures',
    access: 'login',
    summary:
      'End the lessons of students after a given last day, and draft one message for each family',
    body: SaveDepartureInput,
    reply: z.object({
      students: z.number(),
      cancelled: z.number(),
      chargedSessions: z.number(),
      messages: z.number(),
    }),
    status: 201,
    idempotent: true,
  },
});
