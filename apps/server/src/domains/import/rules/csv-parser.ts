export interface CsvTable {
  header: string[];
  rows: { row: number; cells: string[] }[];
}

/** Parsing stops once the table has one column or row more than allowed, so that the caller can detect this. */
export interface CsvLimits {
  columns: number;
  rows: number;
}

const NO_LIMITS: CsvLimits = { columns: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY };
const SEPARATORS = [',', ';', '\t'];

/** Returns the most frequent separator in the first line, ignoring quoted text. */
function detectSeparator(text: string): string {
  const counts = SEPARATORS.map(() => 0);
  for (let position = 0; position < text.length && text[position] !== '\n'; position += 1) {
    const char = text[position] as string;
    const index = SEPARATORS.indexOf(char);
    if (index >= 0) counts[index] = (counts[index] ?? 0) + 1;
    // A quote that is never closed is an ordinary character.
    else if (char === '"') position = Math.max(position, text.indexOf('"', position + 1));
  }
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Quoted cells may contain separators, line breaks and doubled quotes. */
export function parseCsv(file: string, limits: CsvLimits = NO_LIMITS): CsvTable {
  const text = file.replace(/^\uFEFF/, '');
  const separator = detectSeparator(text);
  const rows: CsvTable['rows'] = [];
  let header: string[] = [];
  let lineCount = 0;
  let cells: string[] = [];
  let cell = '';
  // Kept while reading, because trimming the cell at every quote would take quadratic time.
  let isBlank = true;
  let position = 0;

  function append(part: string): void {
    cell += part;
    isBlank &&= part.trim() === '';
  }
  function endCell(): void {
    cells.push(stripFormulaApostrophe(cell));
    cell = '';
    isBlank = true;
  }
  function endLine(): void {
    endCell();
    lineCount += 1;
    if (lineCount === 1) header = cells;
    else if (cells.some((value) => value !== '')) rows.push({ row: lineCount, cells });
    cells = [];
  }
  /** Reads up to the closing quote; the text after it belongs to the same cell. */
  function readQuoted(): void {
    for (;;) {
      const quote = text.indexOf('"', position);
      const end = quote < 0 ? text.length : quote;
      append(text.slice(position, end));
      position = end + 1;
      if (text[position] !== '"' || quote < 0) return;
      append('"');
      position += 1;
    }
  }

  const isOverLimit = () =>
    rows.length > limits.rows || (lineCount === 0 && cells.length > limits.columns);
  while (position < text.length && !isOverLimit()) {
    let end = position;
    while (end < text.length && !isSpecial(text[end] as string, separator)) end += 1;
    if (end > position) append(text.slice(position, end));
    const char = text[end];
    position = end + 1;
    if (char === '"' && isBlank) {
      cell = '';
      readQuoted();
    } else if (char === '"') append(char);
    else if (char === separator) endCell();
    else if (char !== undefined) {
      if (char === '\r' && text[position] === '\n') position += 1;
      endLine();
    }
  }
  if (cell !== '' || cells.length > 0) endLine();
  return { header, rows };
}

const isSpecial = (char: string, separator: string): boolean =>
  char === separator || char === '"' || char === '\n' || char === '\r';

/** Spreadsheets prefix a formula with an apostrophe to keep it as text. */
function stripFormulaApostrophe(cell: string): string {
  const text = cell.trim();
  return text.startsWith("'") ? text.replace(/^'(?=[=+\-@|%])/, '') : text;
}
