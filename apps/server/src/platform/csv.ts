/** A cell that a spreadsheet would take for a formula; numbers of ours are numbers and stay so. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // An apostrophe makes it text in every spreadsheet; a name may be anything that a stranger typed.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The mark by which spreadsheets know that it is UTF-8. */
export const CSV_MARK = '\uFEFF';

export const csvLine = (row: readonly (string | number)[]): string =>
  `${row.map(cell).join(',')}\r\n`;

export const csvFile = (rows: readonly (readonly (string | number)[])[]): string =>
  CSV_MARK + rows.map(csvLine).join('');
