import { expect, test } from 'vitest';
import { parseCsv } from './csv-parser.ts';

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
