import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Balance, PAYMENT_METHODS } from './payments.ts';
import { currency, IdParams, minorUnits, PageQuery, paginationFields } from './schema-fields.ts';
import {
  ATTENDANCE_STATUSES,
  CANCELLING_PARTIES,
  SESSION_STATUSES,
  SessionRow,
} from './sessions.ts';
import { Student, StudentPause } from './students.ts';
import { SUBJECT_COLORS } from './subjects.ts';

/** What is outstanding for a student in one currency. */
export const StudentDebt = z.object({
  currency,
  owed: minorUnits,
  /** The part that is past its due date. */
  overdue: minorUnits,
  /** The earliest due date; null if nothing has been invoiced yet. */
  dueOn: z.nullable(z.string()),
  /** The part that has no due date. */
  withoutDueDate: minorUnits,
});
export type StudentDebt = z.infer<typeof StudentDebt>;

/** A student in the list, with the next lesson and what is owed. */
export const StudentListItem = z.object({
  id: z.number(),
  name: z.string(),
  schoolYear: z.nullable(z.string()),
  /** The subjects of the upcoming lessons or, if there are none, the ones in the student's details. */
  subjects: z.array(z.string()),
  status: Student.shape.status,
  leftOn: Student.shape.leftOn,
  pause: z.nullable(StudentPause),
  /** The names of the contacts, for the search. */
  contactNames: z.array(z.string()),
  nextSession: z.nullable(
    z.object({
      id: z.number(),
      date: z.string(),
      startTime: z.string(),
      endTime: z.string(),
      subjectColor: z.enum(SUBJECT_COLORS),
    }),
  ),
  debts: z.array(StudentDebt),
});
export type StudentListItem = z.infer<typeof StudentListItem>;

/** Everything that the page of a student shows above the timeline. */
export const StudentOverview = z.object({
  student: Student,
  /** The date of the first lesson or, if there is none, the date when the student was added. */
  since: z.string(),
  completedLessons: z.number(),
  nextSession: z.nullable(SessionRow),
  debts: z.array(StudentDebt),
  /** The student's share of the latest payment. */
  lastPayment: z.nullable(z.object({ date: z.string(), amount: minorUnits, currency })),
  /** The payer's account, which may include siblings. */
  family: z.nullable(z.object({ id: z.number(), name: z.string(), balances: z.array(Balance) })),
});
export type StudentOverview = z.infer<typeof StudentOverview>;

/** 'notes' shows the lessons with a private note; 'money' shows charges, invoices and payments. */
export const TIMELINE_FILTERS = ['all', 'notes', 'money'] as const;
export type TimelineFilter = (typeof TIMELINE_FILTERS)[number];

const linkedInvoice = z.object({ id: z.number(), number: z.string() });

export const TimelineEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('lesson'),
    id: z.number(),
    date: z.string(),
    startTime: z.string(),
    endTime: z.string(),
    subjectName: z.string(),
    /** The name of the group; null if the student is taught alone. */
    groupName: z.nullable(z.string()),
    /** Also 'cancelled' if a group took place without the student. */
    status: z.enum(SESSION_STATUSES),
    note: z.nullable(z.string()),
    attendance: z.nullable(z.enum(ATTENDANCE_STATUSES)),
    cancelledBy: z.nullable(z.enum(CANCELLING_PARTIES)),
    cancelReason: z.nullable(z.string()),
    /** Whether the lesson was cancelled by a pause or time off. */
    isTimeOff: z.boolean(),
    movedFrom: z.nullable(z.object({ date: z.string(), startTime: z.string() })),
    fee: z.nullable(minorUnits),
    currency,
    /** The charge for the student; null if there is none. */
    charged: z.nullable(minorUnits),
    outstanding: z.nullable(minorUnits),
    invoice: z.nullable(linkedInvoice),
  }),
  z.object({
    kind: z.literal('payment'),
    id: z.number(),
    date: z.string(),
    isRefund: z.boolean(),
    method: z.enum(PAYMENT_METHODS),
    /** The part of the payment that is for this student. */
    amount: minorUnits,
    total: minorUnits,
    currency,
    familyId: z.number(),
    familyName: z.string(),
  }),
  z.object({
    kind: z.literal('invoice'),
    id: z.number(),
    date: z.string(),
    number: z.string(),
    isCreditNote: z.boolean(),
    /** The total of the lines for this student, and the unpaid part of it. */
    amount: minorUnits,
    outstanding: minorUnits,
    currency,
    dueOn: z.nullable(z.string()),
  }),
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

export const studentOverview = defineEndpoints({
  studentList: {
    method: 'GET',
    path: '/api/students/list',
    access: 'login',
    summary: 'Students with their next session and the amounts owed, sorted by id',
    query: PageQuery,
    reply: z.array(StudentListItem),
  },
  studentOverview: {
    method: 'GET',
    path: '/api/students/:id',
    access: 'login',
    summary: 'One student, with their next session, the amounts owed and the account',
    params: IdParams,
    reply: StudentOverview,
  },
  studentTimeline: {
    method: 'GET',
    path: '/api/students/:id/timeline',
    access: 'login',
    summary:
      "A student's lessons with the private notes, and their charges, invoices and payments, newest first",
    params: IdParams,
    query: z.object({
      show: z._default(z.enum(TIMELINE_FILTERS), 'all'),
      ...paginationFields,
    }),
    reply: z.object({ entries: z.array(TimelineEntry), hasMore: z.boolean() }),
  },
});
