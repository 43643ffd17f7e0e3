import { expect, test } from 'vitest';
import { PdfWriter } from './pdf-writer.ts';

const createWriter = () =>
  new PdfWriter({ title: 'Test', author: 'Test', now: new Date('2026-11-16T12:00:00Z') });

const cpuSecondsOf = (work: () => void): number => {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
};

test('F01 500 words of 200 letters are wrapped in a fraction of a second', () => {
  const pdf = createWriter();
  const words = Array.from({ length: 500 }, (_, index) => 'W'.repeat(199) + (index % 10));
  let rows: string[][] = [];
  const seconds = cpuSecondsOf(() => {
    rows = words.map((word) => pdf.wrap(word, 300));
  });
  expect(rows.map((each) => each.join(''))).toEqual(words);
  expect(seconds).toBeLessThan(2);
});

test('F01 wrapping a word takes time proportional to its length', () => {
  const pdf = createWriter();
  const rows: string[] = [];
  const seconds = cpuSecondsOf(() => {
    rows.push(...pdf.wrap('x'.repeat(200_000), 300));
  });
  expect(rows.join('')).toHaveLength(200_000);
  expect(seconds).toBeLessThan(5);
});

test.each([
  ['one two three', 'short words share a row', ['one two three']],
  ['', 'empty text is one empty row', ['']],
  ['one\ntwo\r\nthree', 'line breaks start a row', ['one', 'two', 'three']],
])('wraps %j: %s', (text, _reason, rows) => {
  expect(createWriter().wrap(text, 300)).toEqual(rows);
});

test('no row is wider than the column, and no character is lost', () => {
  const pdf = createWriter();
  const text = `Łukasz ${'Школа'.repeat(40)} and ${'W'.repeat(90)} end 漢字 \u{1F600}`;
  for (const width of [40, 120, 300]) {
    const rows = pdf.wrap(text, width);
    expect(rows.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    // Kerning moves letters by less than a point per row.
    for (const row of rows) expect(pdf.measureWidth(row)).toBeLessThan(width + 1);
  }
});
