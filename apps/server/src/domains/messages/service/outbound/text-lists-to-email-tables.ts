import type { EmailBlock, EmailRow } from '../../../../platform/mail/email-template.ts';

const TIME = /\b\d{1,2}(?::\d\d)?[ap]m\b|12 noon|12 midnight/;
const AMOUNT = /, ((?:US)?[£$€₹]\d[\d,]*\.\d\d)(, of which .+)?$/;
const MAX_LABEL_LENGTH = 30;

/**
 * Lists of lessons and charges are shown in columns: 'Maya: Maths, 4pm to 5pm', 'Tue 17 Nov, Maya: Maths, 4pm to
 * 5pm' or 'Maya: Maths lesson, Tue 10 Nov, £35.00'. Any other paragraph is returned unchanged.
 */
export function toEmailBlock(paragraph: string): EmailBlock {
  const rows = paragraph.split('\n').map(toRow);
  return rows.every((row) => row !== null) ? rows : paragraph;
}

function toRow(line: string): EmailRow | null {
  const [suffix = '', amount = '', remaining = ''] = AMOUNT.exec(line) ?? [];
  const isListed = amount !== '' || TIME.test(line);
  if (!isListed || /[.:!?]$/.test(line)) return null;
  const text = `${line.slice(0, line.length - suffix.length)}${remaining}`;
  const [start = '', ...details] = text.split(', ');
  const isDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d/.test(start);
  const separator = start.indexOf(': ');
  if (isDate) {
    const [title = '', ...more] = details;
    return { label: start, title, detail: more.join(', '), amount };
  }
  const hasLabel = separator > 0 && separator <= MAX_LABEL_LENGTH;
  return {
    label: hasLabel ? start.slice(0, separator) : '',
    title: hasLabel ? start.slice(separator + 2) : start,
    detail: details.join(', '),
    amount,
  };
}
