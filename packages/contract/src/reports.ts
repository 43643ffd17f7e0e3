import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { hasCustomDates, periodFields } from './report-period-query.ts';
import { PERIODS } from './report-periods.ts';
import { currency, idParam, minorUnits, pageLimit, paginationFields } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

const named = z.object({ id: z.number(), name: z.string() });

const scopeFields = {
  period: z.enum(PERIODS),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** What the report is limited to; null for everything. */
  student: z.nullable(named),
  subject: z.nullable(named),
};

/** The lessons that are scheduled in the period: those still to come, and those not marked as complete. */
const booked = z.object({
  lessons: z.number(),
  minutes: z.number(),
  /** The fees, one entry per currency. */
  fees: z.array(z.object({ currency, amount: minorUnits })),
});
export type BookedLessons = z.infer<typeof booked>;

const netFields = {
  currency,
  /** Payments less refunds. */
  net: minorUnits,
};

/** Money received in a period. Amounts in different currencies are never added together. */
export const EarningsReport = z.object({
  ...scopeFields,
  /** One entry per currency, largest first. */
  totals: z.array(
    z.object({
      ...netFields,
      received: minorUnits,
      refunded: minorUnits,
      payments: z.number(),
      /** The `net` amount for the previous period; null for all time. */
      previousNet: z.nullable(minorUnits),
    }),
  ),
  months: z.array(z.object({ month: z.string(), ...netFields })),
  /** A null id groups money that is unallocated or was paid for something other than a lesson. */
  students: z.array(z.object({ id: z.nullable(z.number()), name: z.string(), ...netFields })),
  subjects: z.array(z.object({ id: z.nullable(z.number()), name: z.string(), ...netFields })),
  booked,
  /** Write-offs in the period, less reversals; not included in the other totals. */
  writtenOff: z.array(z.object({ currency, amount: minorUnits })),
});
export type EarningsReport = z.infer<typeof EarningsReport>;

const taughtFields = { lessons: z.number(), minutes: z.number(), bookedMinutes: z.number() };

/** How many of a student's seats have each outcome. Only cancellations by the family are included. */
const attendanceFields = {
  attended: z.number(),
  late: z.number(),
  absent: z.number(),
  cancelled: z.number(),
};

/**
 * Completed and scheduled lessons in a period. A group lesson counts once in the total hours, and once for each of its
 * students in the student's hours and in the attendance.
 */
export const LessonReport = z.object({
  ...scopeFields,
  taught: z.object({
    lessons: z.number(),
    minutes: z.number(),
    /** The minutes of the previous period; null for all time. */
    previousMinutes: z.nullable(z.number()),
  }),
  booked,
  /** How many of the booked lessons have ended but are not marked as complete. */
  toComplete: z.number(),
  /** What was charged for the lessons, including cancellation fees and less credit notes; one entry per currency. */
  charged: z.array(z.object({ currency, amount: minorUnits })),
  attendance: z.object(attendanceFields),
  months: z.array(z.object({ month: z.string(), ...taughtFields })),
  students: z.array(
    z.object({ id: z.number(), name: z.string(), ...taughtFields, ...attendanceFields }),
  ),
  subjects: z.array(z.object({ id: z.number(), name: z.string(), ...taughtFields })),
});
export type LessonReport = z.infer<typeof LessonReport>;

const reportFields = {
  ...periodFields('last_month'),
  studentId: z.optional(idParam),
  subjectId: z.optional(idParam),
};
const ReportQuery = z.object(reportFields).check(hasCustomDates);
/** A period, optionally limited to one student or subject. */
export type ReportQuery = z.infer<typeof ReportQuery>;

export const reports = defineEndpoints({
  earnings: {
    method: 'GET',
    path: '/api/reports/earnings',
    access: 'login',
    summary:
      'Money received in a period: totals, breakdowns by month, student and subject, and the previous period',
    query: ReportQuery,
    reply: EarningsReport,
  },
  earningsCsv: {
    method: 'GET',
    path: '/api/reports/earnings.csv',
    access: 'login',
    summary: 'Every payment and refund in a period, as a CSV file',
    query: ReportQuery,
    file: 'text/csv',
    reply: z.string(),
  },
  earningsPdf: {
    method: 'GET',
    path: '/api/reports/earnings.pdf',
    access: 'login',
    summary: 'The earnings report as a PDF',
    query: ReportQuery,
    file: 'application/pdf',
    reply: z.string(),
  },
  lessonReport: {
    method: 'GET',
    path: '/api/reports/lessons',
    access: 'login',
    summary:
      'Hours, attendance and charges of the lessons in a period, by month, student and subject, and the lessons that are booked',
    query: ReportQuery,
    reply: LessonReport,
  },
  sessionsInReport: {
    method: 'GET',
    path: '/api/reports/lessons/sessions',
    access: 'login',
    summary: 'The sessions that are counted in the lesson report, newest first',
    // Fewer than in other lists, because each session of a group lists all its students.
    query: z
      .object({ ...reportFields, ...paginationFields, limit: pageLimit(50, 50) })
      .check(hasCustomDates),
    reply: z.array(SessionRow),
  },
  lessonsCsv: {
    method: 'GET',
    path: '/api/reports/lessons.csv',
    access: 'login',
    summary: 'Every lesson in a period, with a row for each student, as a CSV file',
    query: ReportQuery,
    file: 'text/csv',
    reply: z.string(),
  },
});
