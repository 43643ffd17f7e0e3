import type { Invoice } from '@lessonbook/contract/invoices';
import { formatMoney } from '@lessonbook/contract/money';
import { encode } from 'uqr';
import { A4, Paper, paperDate } from '../../../platform/pdf.ts';

const LEFT = A4.margin;
const RIGHT = A4.width - A4.margin;
const WIDTH = RIGHT - LEFT;
const BOTTOM = A4.height - 72;
const DATE_COLUMN = 74;
const QUIET = '#53605A';
const HAIR = '#D5DCD1';
/** The margin rule of the lesson book: the only colour. */
const MARGIN_RULE = '#EBC4BB';

export interface Printing {
  invoice: Invoice;
  /** The public address of the document; a draft has none. */
  link: string | null;
  /** The link also takes cards. */
  byCard: boolean;
  now: Date;
}

/** The document on paper, drawn from what was frozen when it was issued. */
export async function drawInvoice({ invoice, link, byCard, now }: Printing): Promise<Buffer> {
  const title = titleOf(invoice);
  const paper = new Paper({ title, author: invoice.parties.from.name, now });
  let y = drawHead(paper, invoice);
  y = drawLines(paper, invoice, y + 26);
  y = drawTotal(paper, invoice, y + 6);
  if (invoice.note) {
    y = roomFor(paper, y, 60);
    y = paper.block(invoice.note, LEFT, y + 14, WIDTH * 0.7, { color: QUIET });
  }
  if (invoice.kind === 'invoice' && invoice.state !== 'void')
    drawPaying(paper, invoice, { link, byCard }, y + 18);
  paper.onEveryPage((page, pages) => {
    const foot = A4.height - 44;
    paper.line(title, LEFT, foot, { size: 8, color: QUIET });
    const count = `Page ${page} of ${pages}`;
    paper.line(count, RIGHT, foot, { size: 8, color: QUIET, align: 'right' });
  });
  return paper.finish();
}

export function titleOf(invoice: Invoice): string {
  const kind = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
  return invoice.number === null ? `${kind} (draft)` : `${kind} ${invoice.number}`;
}

const money = (invoice: Invoice, minor: number): string =>
  formatMoney(minor, invoice.currency, 'en-GB');

function drawHead(paper: Paper, invoice: Invoice): number {
  const { from, to } = invoice.parties;
  const half = WIDTH * 0.55;
  let left = paper.block(from.name, LEFT, A4.margin, half, { style: 'heading', size: 17 }) + 4;
  const contacts = [from.address, from.email, from.phone, from.extra];
  for (const text of contacts)
    if (text) left = paper.block(text, LEFT, left, half, { color: QUIET });

  const kind = invoice.kind === 'invoice' ? 'Invoice' : 'Credit note';
  paper.line(kind, RIGHT, A4.margin, { style: 'heading', size: 17, align: 'right' });
  let right = A4.margin + 27;
  for (const [label, value] of factsOf(invoice)) {
    paper.line(label, RIGHT - 92, right, { color: QUIET, align: 'right' });
    paper.line(value, RIGHT, right, { style: 'strong', align: 'right' });
    right += 15;
  }
  if (invoice.state === 'void') {
    right += 6;
    paper.line('VOID', RIGHT, right, { style: 'heading', size: 22, align: 'right' });
    right += 30;
  }
  let y = Math.max(left, right) + 22;
  paper.line(invoice.kind === 'invoice' ? 'Billed to' : 'Credited to', LEFT, y, { color: QUIET });
  y = paper.block(to.name, LEFT, y + 15, half, { style: 'strong', size: 11 });
  return to.address ? paper.block(to.address, LEFT, y, half) : y;
}

function factsOf(invoice: Invoice): [label: string, value: string][] {
  const facts: [string, string][] = [['Number', invoice.number ?? 'Draft']];
  if (invoice.issuedOn) facts.push(['Date', paperDate(invoice.issuedOn)]);
  if (invoice.kind === 'invoice' && invoice.dueOn) facts.push(['Due', paperDate(invoice.dueOn)]);
  if (invoice.corrects) facts.push(['Corrects invoice', invoice.corrects.number]);
  return facts;
}

/** By child, the date left of the margin rule, the amount at the right; a table that runs over goes on under the same rule. */
function drawLines(paper: Paper, invoice: Invoice, top: number): number {
  let y = top;
  let ruleFrom = y;
  const ruleX = LEFT + DATE_COLUMN + 8;
  const textX = ruleX + 12;
  const textWidth = RIGHT - 84 - textX;
  const endRule = () => paper.rule(ruleX, ruleFrom - 4, ruleX, y + 2, MARGIN_RULE, 1);
  const room = (height: number) => {
    if (y + height <= BOTTOM) return;
    endRule();
    paper.nextPage();
    y = A4.margin;
    ruleFrom = y;
  };
  const children = Map.groupBy(invoice.lines, (line) => line.studentName ?? '');
  for (const [child, lines] of children) {
    room(40);
    if (child) {
      paper.line(child, textX, y, { style: 'strong', size: 11 });
      y += 19;
    }
    for (const line of lines) {
      const rows = paper.wrap(line.description, textWidth);
      room(rows.length * 14 + 6);
      paper.line(paperDate(line.date), LEFT, y, { color: QUIET });
      paper.line(money(invoice, line.amount), RIGHT, y, { align: 'right' });
      y = paper.block(line.description, textX, y, textWidth) + 5;
    }
    y += 8;
  }
  endRule();
  return y;
}

function drawTotal(paper: Paper, invoice: Invoice, top: number): number {
  let y = roomFor(paper, top, 96);
  paper.rule(LEFT, y, RIGHT, y, HAIR);
  y += 14;
  const row = (label: string, value: string) => {
    paper.line(label, RIGHT - 110, y, { color: QUIET, align: 'right' });
    paper.line(value, RIGHT, y, { align: 'right' });
    y += 16;
  };
  const paidOrCredited = invoice.paid + invoice.credited > 0;
  if (paidOrCredited) row('Total', money(invoice, invoice.total));
  if (invoice.credited > 0) row('Credited', `-${money(invoice, invoice.credited)}`);
  if (invoice.paid > 0) row('Paid', `-${money(invoice, invoice.paid)}`);
  const isDue = invoice.kind === 'invoice' && invoice.state !== 'void';
  const figure = isDue ? invoice.due : invoice.total;
  const label = isDue && paidOrCredited ? 'To pay' : 'Total';
  paper.line(label, RIGHT - 150, y + 9, { color: QUIET, align: 'right', size: 11 });
  paper.line(money(invoice, figure), RIGHT, y, { style: 'heading', size: 24, align: 'right' });
  return y + 38;
}

function drawPaying(
  paper: Paper,
  invoice: Invoice,
  { link, byCard }: Pick<Printing, 'link' | 'byCard'>,
  top: number,
): void {
  const { bank, reference } = invoice.parties;
  if (invoice.due === 0) {
    paper.line('Paid. Thank you.', LEFT, roomFor(paper, top, 40), { style: 'strong', size: 11 });
    return;
  }
  if (!bank && !link) return;
  const y = roomFor(paper, top, 120);
  paper.line('How to pay', LEFT, y, { style: 'heading', size: 12 });
  let below = y + 22;
  const row = (label: string, value: string | null) => {
    if (!value) return;
    paper.line(label, LEFT, below, { color: QUIET });
    below = paper.block(value, LEFT + 104, below, WIDTH - 240, { style: 'strong' }) + 2;
  };
  if (bank) {
    row('Account name', bank.accountName);
    row('Sort code', bank.sortCode);
    row('Account number', bank.accountNumber);
    row('IBAN', bank.iban);
    row('BIC', bank.bic);
    row('Reference', reference);
  }
  if (byCard) row('By card', link);
  else if (!bank) {
    below = paper.block(link ?? '', LEFT, below, WIDTH - 140, { color: QUIET });
  }
  if (link) drawQr(paper, link, RIGHT - 84, y);
}

/** The same address as in the mail, for whoever holds the paper and a phone. */
function drawQr(paper: Paper, link: string, x: number, y: number): void {
  const { data, size } = encode(link, { border: 0 });
  const side = 84;
  const cell = side / size;
  paper.doc.fillColor('#16221C');
  data.forEach((row, at) =>
    row.forEach((dark, column) => {
      if (dark) paper.doc.rect(x + column * cell, y + at * cell, cell, cell);
    }),
  );
  paper.doc.fill();
  paper.line('Scan to see and pay', x + side, y + side + 6, {
    size: 8,
    color: QUIET,
    align: 'right',
  });
}

function roomFor(paper: Paper, y: number, height: number): number {
  if (y + height <= BOTTOM) return y;
  paper.nextPage();
  return A4.margin;
}
