import { type Currency, toMajor } from '@lessonbook/contract/money';
import type { BookedLessons, LessonReport, ReportQuery } from '@lessonbook/contract/reports';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { toCsv } from '../../../platform/files/csv-writer.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import { toSessionRows } from '../../lessons/service/read.ts';
import {
  type BookedTotal,
  bookedFees,
  bookedTotal,
  chargedAmounts,
  type ExportedSeat,
  exportedSeats,
  lessonTotals,
  sessionsInReport,
  studentTotals,
} from '../queries/lesson-report.ts';
import { sumAttendance, sumTotals, toMonths, toSubjects } from '../rules/lesson-report.ts';
import { selectForReport } from './report-selection.ts';

/** Hours, attendance and charges of the lessons in a period, using dates in the tutor's time zone. */
export const readLessonReport = (
  context: Context,
  tutorId: string,
  query: ReportQuery,
): Promise<LessonReport> =>
  context.db.tutorSnapshot(tutorId, async (tx) => {
    const now = context.clock.now();
    const { selection, previousRange, head } = await selectForReport(context, tx, tutorId, query);
    const previousSelection = previousRange && { ...selection, range: previousRange };
    const [totals, students, charged, booked, fees, previous] = await executeBatch(tx, [
      lessonTotals(tx, selection),
      studentTotals(tx, selection),
      chargedAmounts(tx, selection),
      bookedTotal(tx, selection, now),
      bookedFees(tx, selection),
      previousSelection && lessonTotals(tx, previousSelection),
    ]);
    return {
      ...head,
      taught: {
        ...sumTotals(totals, 'completed'),
        previousMinutes: previousRange && sumTotals(previous, 'completed').minutes,
      },
      booked: toBooked(booked, fees),
      toComplete: booked[0]?.toComplete ?? 0,
      charged: charged.map(withCurrency),
      attendance: sumAttendance(students),
      months: toMonths(totals),
      students,
      subjects: toSubjects(totals),
    };
  });

export const toBooked = (
  [total]: readonly BookedTotal[],
  fees: readonly { currency: string; amount: number }[],
): BookedLessons => ({
  lessons: total?.lessons ?? 0,
  minutes: total?.minutes ?? 0,
  fees: fees.map(withCurrency),
});

const withCurrency = ({ currency, amount }: { currency: string; amount: number }) => ({
  currency: currency as Currency,
  amount,
});

export const listSessionsInReport = (
  context: Context,
  tutorId: string,
  query: ReportQuery & { limit: number; offset: number },
): Promise<SessionRow[]> =>
  context.db.tutorSnapshot(tutorId, async (tx) => {
    const { selection } = await selectForReport(context, tx, tutorId, query);
    return toSessionRows(await sessionsInReport(tx, selection, query).execute());
  });

/** One row for each student of each lesson in the period. */
export async function exportLessonsCsv(
  context: Context,
  tutorId: string,
  query: ReportQuery,
): Promise<FileResponse> {
  const { today, rows } = await context.db.wholeAccountSnapshot(tutorId, async (tx) => {
    const report = await selectForReport(context, tx, tutorId, query);
    return { today: report.today, rows: await exportedSeats(tx, report.selection).execute() };
  });
  return {
    name: `lessons-${query.period}-${today}.csv`,
    body: await toCsv(HEADER, rows, toCells),
  };
}

const HEADER = [
  'Date',
  'Start',
  'End',
  'Minutes',
  'Student',
  'Subject',
  'Status',
  'Attendance',
  'Charged',
  'Currency',
];

const STATUS_LABELS = {
  scheduled: 'Scheduled',
  completed: 'Completed',
  cancelled: 'Cancelled',
  rescheduled: 'Moved',
} as const;
const ATTENDANCE_LABELS = { attended: 'Attended', late: 'Late', absent: 'Absent' } as const;

const toCells = (row: ExportedSeat): (string | number)[] => [
  row.date,
  row.startTime,
  row.endTime,
  row.minutes,
  row.studentName,
  row.subjectName,
  STATUS_LABELS[row.status],
  row.attendance ? ATTENDANCE_LABELS[row.attendance] : '',
  row.charged === null ? '' : toMajor(row.charged),
  row.currency,
];
