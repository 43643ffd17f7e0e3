import { expect, test } from 'vitest';
import { toCsv, toCsvLine } from './csv-writer.ts';

test.each([
  ['=1+1', "'=1+1"],
  ['+44 7700', "'+44 7700"],
  ['-2', "'-2"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  [' =1', "' =1"],
  ['Maya', 'Maya'],
  ['Okafor, Maya', '"Okafor, Maya"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
])('[V1.3.3, T13] writes %j as %j', (text, expected) => {
  expect(toCsvLine([text])).toBe(`${expected}\r\n`);
});

test.each([
  [';=1+1', `";'=1+1"`],
  ['Maya; =1+1', `"Maya;' =1+1"`],
  ['Maya;"=1+1', `"Maya;'""=1+1"`],
  ['two\n@SUM(A1)', `"two\n'@SUM(A1)"`],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['Maya; Noah', '"Maya; Noah"'],
  ['x = 1', 'x = 1'],
])('F40 writes %j as %j', (text, expected) => {
  expect(toCsvLine([text])).toBe(`${expected}\r\n`);
});

test('negative numbers are written as numbers, without an apostrophe', () => {
  expect(toCsvLine([-35.5, 'GBP'])).toBe('-35.5,GBP\r\n');
});

test('a file starts with the mark of UTF-8 and the header, and has a line for each item, in their order', async () => {
  const amounts = Array.from({ length: 1_200 }, (_, index) => index);
  const csv = await toCsv(['Amount', 'Currency'], amounts, (amount) => [amount, 'GBP']);
  const lines = amounts.map((amount) => `${amount},GBP\r\n`);
  expect(csv).toBe(`\uFEFFAmount,Currency\r\n${lines.join('')}`);
});
