/** A cell that a spreadsheet would take for a formula; numbers of ours are numbers and stay so. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // An apostrophe makes it text in every spreadsheet; a name may be anything that a stranger typed.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The mark by which spreadsheets know that it is UTF-8. */
export const UTF8_BOM = '\uFEFF';

export const toCsvLine = (row: readonly (string | number)[]): string =>
  `${row.map(formatCell).join(',')}\r\n`;

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  UTF8_BOM + rows.map(toCsvLine).join('');
