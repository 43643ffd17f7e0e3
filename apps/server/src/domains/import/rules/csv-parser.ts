export interface CsvTable {
  header: string[];
  rows: { row: number; cells: string[] }[];
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Returns the most frequent separator in the first line, ignoring quoted text. */
function detectSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = SEPARATORS.map((separator) => first.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Quoted cells may contain separators, line breaks and doubled quotes. */
export function parseCsv(file: string): CsvTable {
  const text = file.replace(/^\uFEFF/, '');
  const separator = detectSeparator(text);
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let inQuotes = false;
  for (let position = 0; position < text.length; position++) {
    const char = text[position] as string;
    if (inQuotes) {
      if (char !== '"') cell += char;
      else if (text[position + 1] === '"') {
        cell += '"';
        position += 1;
      } else inQuotes = false;
    } else if (char === '"' && cell.trim() === '') {
      cell = '';
      inQuotes = true;
    } else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[position + 1] === '\n') position += 1;
      lines.push([...cells, cell]);
      cells = [];
      cell = '';
    } else cell += char;
  }
  if (cell !== '' || cells.length > 0) lines.push([...cells, cell]);
  const [header = [], ...rest] = lines.map((line) => line.map(stripFormulaApostrophe));
  return {
    header,
    rows: rest
      .map((line, index) => ({ row: index + 2, cells: line }))
      .filter((line) => line.cells.some((value) => value !== '')),
  };
}

/** Spreadsheets prefix a formula with an apostrophe to keep it as text. */
const stripFormulaApostrophe = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@|%])/, '');
