import { formatMoney, toMajor } from '@lessonbook/contract/money';
import { PAYMENT_METHOD_LABELS } from '@lessonbook/contract/payment-method-labels';
import { PERIOD_LABELS, type Period, periodRange } from '@lessonbook/contract/periods';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { toCsv } from '../../../platform/files/csv-writer.ts';
import { A4, formatPdfDate, PdfWriter } from '../../../platform/files/pdf.ts';
import type { FileResponse } from '../../../platform/http/file-response-types.ts';
import { getTimeZone, getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { getPaymentsBetween } from '../../payments/service/read-payments.ts';
import { getEarnings } from './earnings.ts';

/** One row for each payment and refund in the period. */
export async function exportEarningsCsv(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<FileResponse> {
  const { today, rows } = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const date = dateInZone(await getTimeZone(tx, tutorId), context.clock.now());
    return { today: date, rows: await getPaymentsBetween(tx, tutorId, periodRange(period, date)) };
  });
  const header = ['Date', 'Kind', 'Payer', 'Students', 'Amount', 'Currency', 'Method', 'Note'];
  return {
    name: `earnings-${period}-${today}.csv`,
    body: toCsv([
      header,
      ...rows.map((row) => [
        row.paymentDate,
        row.kind === 'refund' ? 'Refund' : 'Payment',
        row.familyName,
        row.students.join(', '),
        toMajor(row.amount),
        row.currency,
        PAYMENT_METHOD_LABELS[row.method],
        row.note ?? '',
      ]),
    ]),
  };
}

const MUTED_COLOR = '#53605A';
const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;

/** Totals, then breakdowns by month, student and subject. */
export async function exportEarningsPdf(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<FileResponse> {
  const now = context.clock.now();
  const { tutor, report } = await context.db.tutorSnapshot(tutorId, async (tx) => ({
    tutor: await getTutor(tx, tutorId),
    report: await getEarnings(context, tx, tutorId, period),
  }));
  const { name, timeZone } = tutor;
  const title = 'Tutor Earnings Report';
  const pdf = new PdfWriter({ title, author: name, now });
  const heading = { style: 'heading', size: 17 } as const;
  let y = pdf.drawTextBlock(title, LEFT, A4.margin, RIGHT - LEFT, heading) + 4;
  y = pdf.drawTextBlock(`${name}, ${formatRange(period, report)}`, LEFT, y, RIGHT - LEFT, {
    color: MUTED_COLOR,
  });
  const formatNet = (row: { currency: Parameters<typeof formatMoney>[1]; net: number }) =>
    formatMoney(row.net, row.currency, 'en-GB');
  const drawSection = (label: string, rows: readonly (readonly [string, string])[]) => {
    if (rows.length === 0) return;
    y += 18;
    for (const [index, [text, amount]] of rows.entries()) {
      const isFirst = index === 0;
      if (y + (isFirst ? 50 : 16) > A4.height - 72) {
        pdf.addPage();
        y = A4.margin;
      }
      if (isFirst) {
        pdf.drawText(label, LEFT, y, { style: 'heading', size: 12 });
        y += 22;
      }
      pdf.drawText(amount, RIGHT, y, { align: 'right' });
      y = pdf.drawTextBlock(text, LEFT, y, RIGHT - LEFT - 120) + 2;
    }
  };
  const totals = report.totals.map(
    (total) => [`Total in ${total.currency}`, formatNet(total)] as const,
  );
  drawSection('Total Earnings', totals.length > 0 ? totals : [['No payments found', '']]);
  drawSection(
    'By month',
    report.months.map((row) => [row.month, formatNet(row)] as const),
  );
  drawSection(
    'By student',
    report.students.map((row) => [row.name, formatNet(row)] as const),
  );
  drawSection(
    'By subject',
    report.subjects.map((row) => [row.name, formatNet(row)] as const),
  );
  const footer = `Made on ${formatPdfDate(dateInZone(timeZone, now))}`;
  pdf.forEachPage((page, pages) => {
    const footerY = A4.height - 44;
    pdf.drawText(footer, LEFT, footerY, { size: 8, color: MUTED_COLOR });
    pdf.drawText(`Page ${page} of ${pages}`, RIGHT, footerY, {
      size: 8,
      color: MUTED_COLOR,
      align: 'right',
    });
  });
  return { name: `earnings-${period}.pdf`, body: await pdf.finish() };
}

function formatRange(period: Period, range: { from: string | null; to: string | null }): string {
  const name = PERIOD_LABELS[period].toLowerCase();
  if (range.from === null || range.to === null) return name;
  return `${name}: ${formatPdfDate(range.from)} to ${formatPdfDate(range.to)}`;
}
