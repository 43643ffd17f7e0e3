import type { Currency } from '@lessonbook/contract/money';
import type { EarningsReport, ReportQuery } from '@lessonbook/contract/reports';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import {
  netByMonth,
  netByStudentAndSubject,
  totalsByCurrency,
  writtenOffByCurrency,
} from '../queries/earnings.ts';
import { bookedFees, bookedTotal } from '../queries/lesson-report.ts';
import { toBreakdown, toTotals } from '../rules/earnings.ts';
import { toBooked } from './lesson-report.ts';
import { selectForReport } from './report-selection.ts';

/** Payments minus refunds, using dates in the tutor's time zone. */
export const readEarnings = (
  context: Context,
  tutorId: string,
  query: ReportQuery,
): Promise<EarningsReport> =>
  context.db.tutorSnapshot(tutorId, (tx) => getEarnings(context, tx, tutorId, query));

export async function getEarnings(
  context: Context,
  tx: Tx,
  tutorId: string,
  query: ReportQuery,
): Promise<EarningsReport> {
  const now = context.clock.now();
  const { range, previousRange, selection, head } = await selectForReport(
    context,
    tx,
    tutorId,
    query,
  );
  const [current, months, breakdown, previous, booked, fees, writtenOff] = await executeBatch(tx, [
    totalsByCurrency(tx, tutorId, range, query),
    netByMonth(tx, tutorId, range, query),
    netByStudentAndSubject(tx, tutorId, range, query),
    previousRange && totalsByCurrency(tx, tutorId, previousRange, query),
    bookedTotal(tx, selection, now),
    bookedFees(tx, selection),
    writtenOffByCurrency(tx, tutorId, range, query),
  ]);
  return {
    ...head,
    totals: toTotals(current, previousRange && previous),
    months: months.map((month) => ({ ...month, currency: month.currency as Currency })),
    students: toBreakdown(breakdown, current, 'student'),
    subjects: toBreakdown(breakdown, current, 'subject'),
    booked: toBooked(booked, fees),
    writtenOff: writtenOff.map((each) => ({ ...each, currency: each.currency as Currency })),
  };
}
