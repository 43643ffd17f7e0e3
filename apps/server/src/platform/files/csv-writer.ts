/**
 * The places where a spreadsheet could begin to read a formula: at the start, and, if it expects semicolons between the
 * cells, after a semicolon or line break too. Some also accept full-width signs.
 */
const FORMULA_START = /^(?=\s*[\t\r])|(^|[;\r\n])(?=[\s"]*[=+\-@|%＝＋－＠])/g;

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // After an apostrophe, every spreadsheet reads text.
  const safe = value.replace(FORMULA_START, "$1'");
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets use it to detect UTF-8. */
export const UTF8_BOM = '\uFEFF';

export const toCsvLine = (row: readonly (string | number)[]): string =>
  `${row.map(formatCell).join(',')}\r\n`;

export const toCsv = (rows: readonly (readonly (string | number)[])[]): string =>
  UTF8_BOM + rows.map(toCsvLine).join('');
