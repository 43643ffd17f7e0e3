/** Text that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // A leading apostrophe makes it text in every spreadsheet.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets detect UTF-8 by it. */
export const UTF8_BOM = '\uFEFF';

export const toCsvLine = (row: readonly (string | number)[]): string =>
  `${row.map(formatCell).join(',')}\r\n`;

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  UTF8_BOM + rows.map(toCsvLine).join('');
