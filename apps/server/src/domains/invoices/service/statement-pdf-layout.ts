import { type Currency, formatMoney } from '@lessonbook/contract/money';
import { A4, formatPdfDate, PdfWriter } from '../../../platform/files/pdf-writer.ts';
import type { StatementOfPeriod } from '../../payments/service/statement-of-period.ts';

const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;
const BOTTOM = A4.height - 72;
const TEXT = LEFT + 86;
const CHARGED = RIGHT - 124;
const MUTED_COLOR = '#53605A';
const RULE_COLOR = '#D5DCD1';

export interface StatementPdfInput extends StatementOfPeriod {
  tutorName: string;
  payerName: string;
  period: { from: string; to: string };
  today: string;
  now: Date;
}

/** Charges and payments in two columns, with what was owed before and after, for each currency. */
export async function drawStatement(input: StatementPdfInput): Promise<Buffer> {
  const { tutorName, payerName, period, today, now } = input;
  const title = `Statement for ${formatPdfDate(period.from)} to ${formatPdfDate(period.to)}`;
  const pdf = new PdfWriter({ title, author: tutorName, now });
  const heading = { style: 'heading', size: 17 } as const;
  let y = pdf.drawTextBlock(tutorName, LEFT, A4.margin, RIGHT - LEFT, heading) + 4;
  y = pdf.drawTextBlock(title, LEFT, y, RIGHT - LEFT, { style: 'strong', size: 11 }) + 4;
  y = pdf.drawTextBlock(`Account: ${payerName}`, LEFT, y, RIGHT - LEFT, { color: MUTED_COLOR });
  const currencies = listCurrencies(input);
  for (const currency of currencies) y = drawCurrency(pdf, input, currency, y + 22);
  if (currencies.length === 0)
    pdf.drawText('No lessons or payments in this period.', LEFT, y + 22, { color: MUTED_COLOR });
  pdf.forEachPage((page, pages) => {
    const footer = { size: 8, color: MUTED_COLOR } as const;
    pdf.drawText(`Created on ${formatPdfDate(today)}`, LEFT, A4.height - 44, footer);
    pdf.drawText(`Page ${page} of ${pages}`, RIGHT, A4.height - 44, { ...footer, align: 'right' });
  });
  return pdf.finish();
}

const listCurrencies = ({ opening, entries }: StatementOfPeriod): Currency[] => [
  ...new Set([...opening, ...entries].map(({ currency }) => currency)),
];

function drawCurrency(
  pdf: PdfWriter,
  { opening, entries, period }: StatementPdfInput,
  currency: Currency,
  top: number,
): number {
  const currencyEntries = entries.filter((entry) => entry.currency === currency);
  const owedBefore = opening.find((balance) => balance.currency === currency)?.owed ?? 0;
  const owedAfter = currencyEntries.reduce((sum, { amount }) => sum + amount, owedBefore);
  const format = (amount: number): string => formatMoney(amount, currency, 'en-GB');
  let y = top;
  const breakPageFor = (height: number) => {
    if (y + height <= BOTTOM) return;
    pdf.addPage();
    y = A4.margin;
  };
  const drawRule = () => {
    pdf.drawLine(LEFT, y, RIGHT, y, RULE_COLOR, 0.7);
    y += 8;
  };
  pdf.drawText('Charges', CHARGED, y, { color: MUTED_COLOR, align: 'right' });
  pdf.drawText('Payments and credits', RIGHT, y, { color: MUTED_COLOR, align: 'right' });
  y += 18;
  drawRule();
  const drawBalance = (date: string, owed: number) => {
    breakPageFor(30);
    const label = owed < 0 ? 'In credit' : 'Owed';
    pdf.drawText(`${label} on ${formatPdfDate(date)}`, LEFT, y, { style: 'strong' });
    pdf.drawText(format(Math.abs(owed)), RIGHT, y, { style: 'strong', align: 'right' });
    y += 20;
  };
  drawBalance(period.from, owedBefore);
  for (const entry of currencyEntries) {
    const text = [
      entry.studentName,
      entry.description,
      entry.invoiceNumber && `invoice ${entry.invoiceNumber}`,
    ]
      .filter(Boolean)
      .join(', ');
    const rows = pdf.wrap(text, CHARGED - 70 - TEXT);
    breakPageFor(rows.length * 14 + 6);
    const column = entry.amount < 0 ? RIGHT : CHARGED;
    pdf.drawText(formatPdfDate(entry.date), LEFT, y, { color: MUTED_COLOR });
    pdf.drawText(format(Math.abs(entry.amount)), column, y, { align: 'right' });
    y = pdf.drawRows(rows, TEXT, y) + 5;
  }
  y += 3;
  drawRule();
  drawBalance(period.to, owedAfter);
  return y;
}
