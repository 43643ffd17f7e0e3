import { METHOD_NAMES } from '@lessonbook/contract/method-names';
import { formatMoney, toMajor } from '@lessonbook/contract/money';
import { PERIOD_NAMES, type Period, rangeOfPeriod } from '@lessonbook/contract/periods';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { csvFile } from '../../../platform/csv.ts';
import type { FileReply } from '../../../platform/file-replies.ts';
import { A4, Paper, paperDate } from '../../../platform/pdf.ts';
import { readTutor } from '../../accounts/service/profile.ts';
import { readPaymentsBetween } from '../../payments/service/read-payments.ts';
import { readEarnings } from './earnings.ts';

/** Every payment and refund of the period, a row each, for a spreadsheet or an accountant. */
export async function earningsCsv(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<FileReply> {
  const { timeZone } = await readTutor(context, tutorId);
  const today = dateIn(timeZone, context.clock.now());
  const rows = await readPaymentsBetween(context, tutorId, rangeOfPeriod(period, today));
  const header = ['Date', 'Kind', 'Payer', 'Students', 'Amount', 'Currency', 'Method', 'Note'];
  return {
    name: `earnings-${period}-${today}.csv`,
    body: csvFile([
      header,
      ...rows.map((row) => [
        row.paymentDate,
        row.kind === 'refund' ? 'Refund' : 'Payment',
        row.familyName,
        row.students.join(', '),
        toMajor(row.amount),
        row.currency,
        METHOD_NAMES[row.method],
        row.note ?? '',
      ]),
    ]),
  };
}

const QUIET = '#53605A';
const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;

/** The report on paper: totals, then months, students and subjects, each with its own currency. */
export async function earningsPdf(
  context: Context,
  tutorId: string,
  period: Period,
): Promise<FileReply> {
  const now = context.clock.now();
  const { name, timeZone } = await readTutor(context, tutorId);
  const report = await readEarnings(context, tutorId, period);
  const title = 'Tutor Earnings Report';
  const paper = new Paper({ title, author: name, now });
  const heading = { style: 'heading', size: 17 } as const;
  let y = paper.block(title, LEFT, A4.margin, RIGHT - LEFT, heading) + 4;
  y = paper.block(`${name}, ${rangeInWords(period, report)}`, LEFT, y, RIGHT - LEFT, {
    color: QUIET,
  });
  const money = (row: { currency: Parameters<typeof formatMoney>[1]; net: number }) =>
    formatMoney(row.net, row.currency, 'en-GB');
  const section = (label: string, rows: readonly (readonly [string, string])[]) => {
    if (rows.length === 0) return;
    y += 18;
    for (const [index, [text, amount]] of rows.entries()) {
      const headed = index === 0;
      if (y + (headed ? 50 : 16) > A4.height - 72) {
        paper.nextPage();
        y = A4.margin;
      }
      if (headed) {
        paper.line(label, LEFT, y, { style: 'heading', size: 12 });
        y += 22;
      }
      paper.line(amount, RIGHT, y, { align: 'right' });
      y = paper.block(text, LEFT, y, RIGHT - LEFT - 120) + 2;
    }
  };
  const totals = report.totals.map(
    (total) => [`Total in ${total.currency}`, money(total)] as const,
  );
  section('Total Earnings', totals.length > 0 ? totals : [['No payments found', '']]);
  section(
    'By month',
    report.months.map((row) => [row.month, money(row)] as const),
  );
  section(
    'By student',
    report.students.map((row) => [row.name, money(row)] as const),
  );
  section(
    'By subject',
    report.subjects.map((row) => [row.name, money(row)] as const),
  );
  const made = `Made on ${paperDate(dateIn(timeZone, now))}`;
  paper.onEveryPage((page, pages) => {
    const foot = A4.height - 44;
    paper.line(made, LEFT, foot, { size: 8, color: QUIET });
    paper.line(`Page ${page} of ${pages}`, RIGHT, foot, { size: 8, color: QUIET, align: 'right' });
  });
  return { name: `earnings-${period}.pdf`, body: await paper.finish() };
}

function rangeInWords(period: Period, range: { from: string | null; to: string | null }): string {
  const name = PERIOD_NAMES[period].toLowerCase();
  if (range.from === null || range.to === null) return name;
  return `${name}: ${paperDate(range.from)} to ${paperDate(range.to)}`;
}
