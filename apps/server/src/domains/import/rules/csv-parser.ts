/** A file as rows of cells. */
export interface Table {
  header: string[];
  rows: { row: number; cells: string[] }[];
}

const SEPARATORS = [',', ';', '\t'] as const;

/** The one that stands most often in the heading, outside of quotes. */
function detectSeparator(text: string): string {
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = SEPARATORS.map((each) => first.split(each).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** What a spreadsheet wrote: quotes around a cell may hide separators and line ends, and doubled quotes are quotes. */
export function parseCsv(file: string): Table {
  const text = file.replace(/^\uFEFF/, '');
  const separator = detectSeparator(text);
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string;
    if (quoted) {
      if (letter !== '"') cell += letter;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      cell = '';
      quoted = true;
    } else if (letter === separator) {
      cells.push(cell);
      cell = '';
    } else if (letter === '\n' || letter === '\r') {
      if (letter === '\r' && text[at + 1] === '\n') at += 1;
      lines.push([...cells, cell]);
      cells = [];
      cell = '';
    } else cell += letter;
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

/** An apostrophe before a formula is the spreadsheet's way to say that it is none. */
const stripFormulaQuote = (cell: string): string => cell.trim().replace(/^'(?=[=+\-@|%])/, '');
