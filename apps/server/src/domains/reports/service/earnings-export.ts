import { toMajor } from '@lessonbook/contract/money';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import type { ReportQuery } from '@lessonbook/contract/reports';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { toCsv } from '../../../platform/files/csv-writer.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { consumePdfLimit } from '../../invoices/service/rate-limits.ts';
import { getPaymentsBetween } from '../../payments/service/read-payments.ts';
import { getEarnings } from './earnings.ts';
import type { EarningsPdfInput } from './earnings-pdf-layout.ts';
import { selectForReport } from './report-selection.ts';

/** One row for each payment and refund in the period; with a filter, the part for the student or subject. */
export async function exportEarningsCsv(
  context: Context,
  tutorId: string,
  query: ReportQuery,
): Promise<FileResponse> {
  const { today, rows } = await context.db.wholeAccountSnapshot(tutorId, async (tx) => {
    const report = await selectForReport(context, tx, tutorId, query);
    const payments = await getPaymentsBetween(tx, tutorId, report.range, query, null);
    return { today: report.today, rows: payments };
  });
  const header = ['Date', 'Kind', 'Payer', 'Students', 'Amount', 'Currency', 'Method', 'Note'];
  return {
    name: `earnings-${query.period}-${today}.csv`,
    body: await toCsv(header, rows, (row) => [
      row.paymentDate,
      row.kind === 'refund' ? 'Refund' : 'Payment',
      row.familyName,
      row.students.join(', '),
      toMajor(row.share ?? row.amount),
      row.currency,
      PAYMENT_METHOD_LABELS[row.method],
      row.note ?? '',
    ]),
  };
}

export async function exportEarningsPdf(
  context: Context,
  tutorId: string,
  query: ReportQuery,
  requestContext: RequestContext,
): Promise<FileResponse> {
  await consumePdfLimit(context, tutorId, requestContext);
  const now = context.clock.now();
  const { tutor, report } = await context.db.tutorSnapshot(tutorId, async (tx) => ({
    tutor: await getTutor(tx, tutorId),
    report: await getEarnings(context, tx, tutorId, query),
  }));
  const input: EarningsPdfInput = {
    tutorName: tutor.name,
    report,
    today: dateInZone(tutor.timeZone, now),
    now,
  };
  return {
    name: `earnings-${query.period}.pdf`,
    body: await context.pdf.render(tutorId, 'drawEarningsReport', input),
  };
}
