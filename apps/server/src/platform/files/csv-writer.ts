/** Matches text that a spreadsheet would evaluate as a formula. */
const FORMULA = /^[\s]*[=+\-@\t\r|%]/;

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // With a leading apostrophe, every spreadsheet treats the cell as text.
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets use it to detect UTF-8. */
export const UTF8_BOM = '\uFEFF';

export const toCsvLine = (row: readonly (string | number)[]): string =>
  `${row.map(formatCell).join(',')}\r\n`;

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  UTF8_BOM + rows.map(toCsvLine).join('');
