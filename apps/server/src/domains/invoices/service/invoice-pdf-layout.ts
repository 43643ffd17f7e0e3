import type { BankDetails } from '@lessonbook/contract/business-settings';
import { HOLD_REASON_LABELS } from '@lessonbook/contract/invoice-labels';
import type { Invoice } from '@lessonbook/contract/invoices';
import { formatMoney } from '@lessonbook/contract/money';
import { formatDateAndMethod } from '@lessonbook/contract/payment-method-labels';
import { encode } from 'uqr';
import { A4, formatPdfDate, PdfWriter } from '../../../platform/files/pdf-writer.ts';

const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;
const WIDTH = RIGHT - LEFT;
const BOTTOM = A4.height - 72;
const DATE_COLUMN = 74;
const MUTED_COLOR = '#53605A';
const RULE_COLOR = '#D5DCD1';
const MARGIN_RULE_COLOR = '#EBC4BB';

export interface InvoicePdfInput {
  invoice: Invoice;
  /** The public URL; null for a draft. */
  link: string | null;
  bank: BankDetails | null;
  /** Other ways to pay, in the tutor's words. */
  paymentInstructions: string | null;
  /** Whether the public page accepts card payments. */
  acceptsCards: boolean;
  /** The account's credit in the currency of the invoice. */
  credit: number;
  now: Date;
}

export async function drawInvoice(input: InvoicePdfInput): Promise<Buffer> {
  const { invoice, now } = input;
  const title = documentTitle(invoice);
  const pdf = new PdfWriter({ title, author: invoice.parties.from.name, now });
  let y = drawHeader(pdf, invoice);
  y = drawLines(pdf, invoice, y + 26);
  y = drawTotals(pdf, invoice, y + 6);
  if (invoice.note) {
    y = ensureSpace(pdf, y, 60);
    y = pdf.drawTextBlock(invoice.note, LEFT, y + 14, WIDTH * 0.7, { color: MUTED_COLOR });
  }
  if (invoice.kind === 'invoice' && invoice.state !== 'void')
    drawPaymentInstructions(pdf, input, y + 18);
  pdf.forEachPage((page, pages) => {
    const footerY = A4.height - 44;
    pdf.drawText(title, LEFT, footerY, { size: 8, color: MUTED_COLOR });
    const pageLabel = `Page ${page} of ${pages}`;
    pdf.drawText(pageLabel, RIGHT, footerY, { size: 8, color: MUTED_COLOR, align: 'right' });
  });
  return pdf.finish();
}

/** Shows only the number and that the invoice is void. */
export async function drawVoidInvoice({
  title,
  now,
}: {
  title: string;
  now: Date;
}): Promise<Buffer> {
  const pdf = new PdfWriter({ title, author: '', now });
  pdf.drawText(title, LEFT, A4.margin, { style: 'heading', size: 17 });
  pdf.drawText('VOID', LEFT, A4.margin + 32, { style: 'heading', size: 22 });
  return pdf.finish();
}

export function documentTitle(invoice: Invoice): string {
  const kind = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
  return invoice.number === null ? `${kind} (draft)` : `${kind} ${invoice.number}`;
}

const formatAmount = (invoice: Invoice, minor: number): string =>
  formatMoney(minor, invoice.currency, 'en-GB');

function drawHeader(pdf: PdfWriter, invoice: Invoice): number {
  const { from, to } = invoice.parties;
  const columnWidth = WIDTH * 0.55;
  let leftY =
    pdf.drawTextBlock(from.name, LEFT, A4.margin, columnWidth, { style: 'heading', size: 17 }) + 4;
  const contacts = [from.address, from.email, from.phone, from.extra];
  for (const text of contacts)
    if (text) leftY = pdf.drawTextBlock(text, LEFT, leftY, columnWidth, { color: MUTED_COLOR });

  const kind = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
  pdf.drawText(kind, RIGHT, A4.margin, { style: 'heading', size: 17, align: 'right' });
  let rightY = A4.margin + 27;
  for (const [label, value] of headerFields(invoice)) {
    pdf.drawText(label, RIGHT - 92, rightY, { color: MUTED_COLOR, align: 'right' });
    pdf.drawText(value, RIGHT, rightY, { style: 'strong', align: 'right' });
    rightY += 15;
  }
  if (invoice.state === 'void') {
    rightY += 6;
    pdf.drawText('VOID', RIGHT, rightY, { style: 'heading', size: 22, align: 'right' });
    rightY += 30;
  }
  let y = Math.max(leftY, rightY) + 22;
  if (!to.name) return y;
  pdf.drawText(invoice.kind === 'invoice' ? 'Billed to' : 'Credited to', LEFT, y, {
    color: MUTED_COLOR,
  });
  y = pdf.drawTextBlock(to.name, LEFT, y + 15, columnWidth, { style: 'strong', size: 11 });
  return to.address ? pdf.drawTextBlock(to.address, LEFT, y, columnWidth) : y;
}

function headerFields(invoice: Invoice): [label: string, value: string][] {
  const fields: [string, string][] = [['Number', invoice.number ?? 'Draft']];
  if (invoice.issuedOn) fields.push(['Date', formatPdfDate(invoice.issuedOn)]);
  if (invoice.kind === 'invoice' && invoice.dueOn)
    fields.push(['Due', formatPdfDate(invoice.dueOn)]);
  if (invoice.corrects) fields.push(['Corrects invoice', invoice.corrects.number]);
  return fields;
}

/** Draws the lines grouped by student. The vertical rule in the margin continues on each new page. */
function drawLines(pdf: PdfWriter, invoice: Invoice, top: number): number {
  let y = top;
  let ruleTop = y;
  const ruleX = LEFT + DATE_COLUMN + 8;
  const textX = ruleX + 12;
  const textWidth = RIGHT - 84 - textX;
  const drawRule = () => pdf.drawLine(ruleX, ruleTop - 4, ruleX, y + 2, MARGIN_RULE_COLOR, 1);
  const breakPageFor = (height: number) => {
    if (y + height <= BOTTOM) return;
    drawRule();
    pdf.addPage();
    y = A4.margin;
    ruleTop = y;
  };
  const byStudent = Map.groupBy(invoice.lines, (line) => line.studentName ?? '');
  for (const [studentName, lines] of byStudent) {
    breakPageFor(40);
    if (studentName) {
      pdf.drawText(studentName, textX, y, { style: 'strong', size: 11 });
      y += 19;
    }
    for (const line of lines) {
      const rows = pdf.wrap(line.description, textWidth);
      breakPageFor(rows.length * 14 + 6);
      pdf.drawText(formatPdfDate(line.date), LEFT, y, { color: MUTED_COLOR });
      pdf.drawText(formatAmount(invoice, line.amount), RIGHT, y, { align: 'right' });
      y = pdf.drawRows(rows, textX, y) + 5;
    }
    y += 8;
  }
  drawRule();
  return y;
}

function drawTotals(pdf: PdfWriter, invoice: Invoice, top: number): number {
  let y = ensureSpace(pdf, top, 96);
  pdf.drawLine(LEFT, y, RIGHT, y, RULE_COLOR);
  y += 14;
  const row = (label: string, value: string) => {
    pdf.drawText(label, RIGHT - 110, y, { color: MUTED_COLOR, align: 'right' });
    pdf.drawText(value, RIGHT, y, { align: 'right' });
    y += 16;
  };
  const hasDeductions = invoice.paid + invoice.credited + invoice.onHold > 0;
  if (hasDeductions) row('Total', formatAmount(invoice, invoice.total));
  if (invoice.state !== 'void') {
    for (const { number, total } of invoice.creditNotes)
      row(`Credit note ${number}`, `-${formatAmount(invoice, total)}`);
    const uninvoicedCredit =
      invoice.credited -
      invoice.writtenOff -
      invoice.creditNotes.reduce((sum, { total }) => sum + total, 0);
    if (invoice.writtenOff > 0) row('Written off', `-${formatAmount(invoice, invoice.writtenOff)}`);
    if (uninvoicedCredit > 0) row('No longer owed', `-${formatAmount(invoice, uninvoicedCredit)}`);
    for (const payment of invoice.payments)
      row(formatPaymentLabel(payment), `-${formatAmount(invoice, payment.amount)}`);
    if (invoice.onHold > 0)
      row(
        HOLD_REASON_LABELS[invoice.holdReason ?? 'refund'],
        `-${formatAmount(invoice, invoice.onHold)}`,
      );
  }
  const isDue = invoice.kind === 'invoice' && invoice.state !== 'void';
  const amount = isDue ? invoice.due - invoice.onHold : invoice.total;
  const label = isDue && hasDeductions ? 'To pay' : 'Total';
  pdf.drawText(label, RIGHT - 150, y + 9, { color: MUTED_COLOR, align: 'right', size: 11 });
  pdf.drawText(formatAmount(invoice, amount), RIGHT, y, {
    style: 'heading',
    size: 24,
    align: 'right',
  });
  return y + 38;
}

/** 'Paid on 16 Nov 2026 by card' */
const formatPaymentLabel = ({ date, method }: Invoice['payments'][number]): string =>
  `Paid ${formatDateAndMethod(formatPdfDate(date), method)}`;

function drawPaymentInstructions(
  pdf: PdfWriter,
  { invoice, link, bank, paymentInstructions, acceptsCards, credit }: InvoicePdfInput,
  top: number,
): void {
  if (invoice.due === invoice.onHold) {
    const text =
      invoice.onHold > 0
        ? 'Nothing to pay at the moment.'
        : credit > 0
          ? `Paid. Thank you. The account is ${formatAmount(invoice, credit)} in credit.`
          : 'Paid. Thank you.';
    pdf.drawText(text, LEFT, ensureSpace(pdf, top, 40), { style: 'strong', size: 11 });
    return;
  }
  if (!bank && !link && !paymentInstructions) return;
  const y = ensureSpace(pdf, top, 120);
  pdf.drawText('How to pay', LEFT, y, { style: 'heading', size: 12 });
  let rowY = y + 22;
  const row = (label: string, value: string | null) => {
    if (!value) return;
    pdf.drawText(label, LEFT, rowY, { color: MUTED_COLOR });
    rowY = pdf.drawTextBlock(value, LEFT + 104, rowY, WIDTH - 240, { style: 'strong' }) + 2;
  };
  if (bank) {
    row('Account name', bank.accountName);
    row('Sort code', bank.sortCode);
    row('Account number', bank.accountNumber);
    row('IBAN', bank.iban);
    row('BIC', bank.bic);
    row('Reference', invoice.parties.reference);
  }
  if (acceptsCards) row('By card', link);
  row('Other ways', paymentInstructions);
  if (!acceptsCards && !bank && !paymentInstructions) {
    rowY = pdf.drawTextBlock(link ?? '', LEFT, rowY, WIDTH - 140, { color: MUTED_COLOR });
  }
  if (link) drawQr(pdf, link, RIGHT - 84, y);
}

function drawQr(pdf: PdfWriter, link: string, x: number, y: number): void {
  const { data, size } = encode(link, { border: 0 });
  const side = 84;
  const cell = side / size;
  pdf.doc.fillColor('#16221C');
  data.forEach((row, rowIndex) =>
    row.forEach((isDark, column) => {
      if (isDark) pdf.doc.rect(x + column * cell, y + rowIndex * cell, cell, cell);
    }),
  );
  pdf.doc.fill();
  pdf.drawText('Scan to view and pay', x + side, y + side + 6, {
    size: 8,
    color: MUTED_COLOR,
    align: 'right',
  });
}

function ensureSpace(pdf: PdfWriter, y: number, height: number): number {
  if (y + height <= BOTTOM) return y;
  pdf.addPage();
  return A4.margin;
}
