import { expect, test } from 'vitest';
import { toCsv } from './csv-writer.ts';

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
  expect(toCsv([[text]])).toBe(`\uFEFF${expected}\r\n`);
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
  expect(toCsv([[text]])).toBe(`\uFEFF${expected}\r\n`);
});

test('negative numbers are written as numbers, without an apostrophe', () => {
  expect(toCsv([[-35.5, 'GBP']])).toBe('\uFEFF-35.5,GBP\r\n');
});
