export interface Table {
  header: string[];
  rows: { row: number; cells: string[] }[];
}

const SEPARATORS = [',', ';', '\t'] as const;

/** Returns the most frequent separator in the first line, ignoring quoted text. */
function detectSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = SEPARATORS.map((each) => first.split(each).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Quoted cells may contain separators, line breaks and doubled quotes. */
export function parseCsv(file: string): Table {
  const text = file.replace(/^\uFEFF/, '');
  const separator = detectSeparator(text);
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (quoted) {
      if (char !== '"') cell += char;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (char === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (char === separator) {
      cells.push(cell);
      cell = '';
    } else if (char === '\n' || char === '\r') {
      if (char === '\r' && text[at + 1] === '\n') at += 1;
      lines.push([...cells, cell]);
      cells = [];
      cell = '';
    } else cell += char;
  }
  if (cell !== '' || cells.length > 0) lines.push([...cells, cell]);
  const [header = [], ...rest] = lines.map((line) => line.map(stripFormulaQuote));
  return {
    header,
    rows: rest
      .map((line, index) => ({ row: index + 2, cells: line }))
      .filter((line) => line.cells.some((each) => each !== '')),
  };
}

/** Spreadsheets prefix a formula with an apostrophe to keep it as text. */
const stripFormulaQuote = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@|%])/, '');
