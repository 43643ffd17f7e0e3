import { mapWithPauses } from '../map-with-pauses.ts';

/**
 * Where a spreadsheet could start reading a formula: at the start of a cell and, if it separates cells by semicolons, also
 * after a semicolon or line break. Some spreadsheets also accept full-width signs.
 */
const FORMULA_START = /^(?=\s*[\t\r])|(^|[;\r\n])(?=[\s"]*[=+\-@|%＝＋－＠])/g;

function formatCell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  // Spreadsheets treat a cell that starts with an apostrophe as text.
  const safe = value.replace(FORMULA_START, "$1'");
  return /[",\n\r;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Spreadsheets use this mark to detect UTF-8. */
export const UTF8_BOM = '\uFEFF';

export const toCsvLine = (row: readonly (string | number)[]): string =>
  `${row.map(formatCell).join(',')}\r\n`;

const LINES_BETWEEN_PAUSES = 500;

export async function toCsv<Item>(
  header: readonly string[],
  items: readonly Item[],
  toCells: (item: Item) => readonly (string | number)[],
): Promise<string> {
  const lines = await mapWithPauses(items, { every: LINES_BETWEEN_PAUSES }, (item) =>
    toCsvLine(toCells(item)),
  );
  return UTF8_BOM + toCsvLine(header) + lines.join('');
}
