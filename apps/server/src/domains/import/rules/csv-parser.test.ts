import { expect, test } from 'vitest';
import { Random } from '../../../test/model/random.ts';
import { type CsvTable, parseCsv } from './csv-parser.ts';

test.each([
  ['commas', 'Name,Notes\nMaya,"a, b"\n'],
  ['semicolons', '\uFEFFName;Notes\r\nMaya;"a, b"\r\n'],
  ['tabs', 'Name\tNotes\nMaya\ta, b'],
])('parses a file separated by %s', (_, text) => {
  expect(parseCsv(text)).toEqual({
    header: ['Name', 'Notes'],
    rows: [{ row: 2, cells: ['Maya', 'a, b'] }],
  });
});

test('parses quotes, quoted line breaks, empty lines and formulas', () => {
  const { rows } = parseCsv(
    'Name,Notes\n"Maya ""May"" Okafor","one\ntwo"\n\n,\n=1+1,\'+447700900123\n',
  );
  expect(rows).toEqual([
    { row: 2, cells: ['Maya "May" Okafor', 'one\ntwo'] },
    { row: 5, cells: ['=1+1', '+447700900123'] },
  ]);
});

test('an empty file has no rows', () => {
  expect(parseCsv('')).toEqual({ header: [], rows: [] });
});

/** A simple parser for comparison, which reads one character at a time. */
function parseSlowly(file: string): CsvTable {
  const text = file.replace(/^\uFEFF/, '');
  const [first = ''] = text.replaceAll(/"[^"]*"/g, '').split(/\r?\n/);
  const counts = [',', ';', '\t'].map((each) => first.split(each).length);
  const separator = [',', ';', '\t'][counts.indexOf(Math.max(...counts))];
  const lines: string[][] = [];
  let cells: string[] = [];
  let cell = '';
  let inQuotes = false;
  for (let position = 0; position < text.length; position += 1) {
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
  const [header = [], ...rest] = lines.map((line) =>
    line.map((value) => value.trim().replace(/^'(?=[=+\-@|%])/, '')),
  );
  return {
    header,
    rows: rest
      .map((line, index) => ({ row: index + 2, cells: line }))
      .filter((line) => line.cells.some((value) => value !== '')),
  };
}

test('gives the same result as a parser that reads one character at a time', () => {
  const random = new Random(20_261_116);
  const alphabet = ['a', 'b ', '"', '""', ',', ';', '\t', '\n', '\r', '\r\n', ' ', "'=", '\uFEFF'];
  for (let round = 0; round < 5_000; round += 1) {
    const parts = Array.from({ length: random.between(0, 24) }, () => random.pick(alphabet));
    const text = parts.join('');
    expect({ text, table: parseCsv(text) }).toEqual({ text, table: parseSlowly(text) });
  }
});

test('stops at the first column or row over the limit', () => {
  const limits = { columns: 3, rows: 2 };
  const wide = parseCsv('a,b,c,d,e,f\n1', limits);
  expect([wide.header.length > limits.columns, wide.header.length < 6]).toEqual([true, true]);
  expect(parseCsv('a,b,c\n1,2,3,4,5', limits)).toEqual({
    header: ['a', 'b', 'c'],
    rows: [{ row: 2, cells: ['1', '2', '3', '4', '5'] }],
  });
  expect(parseCsv('a\n\n1\n\n2\n3\n4\n5', limits).rows.map(({ row }) => row)).toEqual([3, 5, 6]);
});

test.each([
  ['a header with 99,000 columns', `name${',a'.repeat(99_000)}\nMaya`, 20],
  ['99,000 rows', `name${'\na'.repeat(99_000)}`, 20],
  ['a row with 99,000 cells', `name\n${'a,'.repeat(99_000)}`, 150],
  ['a cell with 99,000 quotes', `name\n${'a"'.repeat(99_000)}`, 150],
])('F04 parses %s in little processor time', (_, text, limitMs) => {
  parseCsv(text, { columns: 100, rows: 500 });
  const before = process.threadCpuUsage();
  parseCsv(text, { columns: 100, rows: 500 });
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(limitMs);
});
