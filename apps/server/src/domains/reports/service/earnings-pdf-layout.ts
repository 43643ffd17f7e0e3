import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { PERIOD_LABELS } from '@lessonbook/contract/report-periods';
import type { EarningsReport } from '@lessonbook/contract/reports';
import { A4, formatPdfDate, PdfWriter } from '../../../platform/files/pdf-writer.ts';

const MUTED_COLOR = '#53605A';
const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;

export interface EarningsPdfInput {
  tutorName: string;
  report: EarningsReport;
  today: string;
  now: Date;
}

/** Totals, then breakdowns by month, student and subject. */
export async function drawEarningsReport({
  tutorName,
  report,
  today,
  now,
}: EarningsPdfInput): Promise<Buffer> {
  const title = 'Tutor Earnings Report';
  const pdf = new PdfWriter({ title, author: tutorName, now });
  const heading = { style: 'heading', size: 17 } as const;
  let y = pdf.drawTextBlock(title, LEFT, A4.margin, RIGHT - LEFT, heading) + 4;
  y = pdf.drawTextBlock(formatScope(tutorName, report), LEFT, y, RIGHT - LEFT, {
    color: MUTED_COLOR,
  });
  const formatNet = (row: { currency: Currency; net: number }) =>
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
    report.months.map((row) => [formatMonth(row.month), formatNet(row)] as const),
  );
  drawSection(
    'By student',
    report.students.map((row) => [row.name, formatNet(row)] as const),
  );
  drawSection(
    'By subject',
    report.subjects.map((row) => [row.name, formatNet(row)] as const),
  );
  drawSection(
    'Written off (not in the totals)',
    report.writtenOff.map(({ currency, amount }) => [
      currency,
      formatMoney(amount, currency, 'en-GB'),
    ]),
  );
  const footer = `Created on ${formatPdfDate(today)}`;
  pdf.forEachPage((page, pages) => {
    const footerY = A4.height - 44;
    pdf.drawText(footer, LEFT, footerY, { size: 8, color: MUTED_COLOR });
    pdf.drawText(`Page ${page} of ${pages}`, RIGHT, footerY, {
      size: 8,
      color: MUTED_COLOR,
      align: 'right',
    });
  });
  return pdf.finish();
}

/** '2026-10' as 'October 2026' */
const formatMonth = (month: string): string => formatPdfDate(`${month}-01`).replace(/^\S+ /, '');

/** 'Ada Fenwick, last month: 1 October 2026 to 31 October 2026, Maya Hale' */
const formatScope = (tutorName: string, report: EarningsReport): string =>
  [tutorName, formatRange(report), report.student?.name, report.subject?.name]
    .filter(Boolean)
    .join(', ');

function formatRange({ period, from, to }: EarningsReport): string {
  const name = PERIOD_LABELS[period].toLowerCase();
  if (from === null || to === null) return name;
  const days = `${formatPdfDate(from)} to ${formatPdfDate(to)}`;
  return period === 'custom' ? days : `${name}: ${days}`;
}
