import { expect, test } from 'vitest';
import { readAmount, readMinor } from './amount.ts';

test.each([
  ['35', 3500],
  ['35.5', 3550],
  ['35,50', 3550],
  [' £35.50 ', 3550],
  ['19.99', 1999],
  ['1,250', 125_000],
  ['1,250.75', 125_075],
  ['1 250', 125_000],
  ['1,250,000', 125_000_000],
  ['0', 0],
  ['-5', -500],
])('%s is an amount', (text, minor) => {
  expect(readMinor(text)).toBe(minor);
});

test.each(['abc', '35.505', '1.250', '3,5,0', '12 pounds'])('%s is none', (text) => {
  expect(readMinor(text)).toBeNaN();
});

test('nothing is not nought', () => {
  expect(readMinor('  ')).toBeNull();
  expect(readAmount('')).toBeNull();
});
