import { expect, test } from 'vitest';
import { addMinutesToTime, parseAmount, parseMinorUnits, parseTime } from './parse-input.ts';

test.each([
  ['9', '09:00'],
  ['16', '16:00'],
  ['930', '09:30'],
  ['1630', '16:30'],
  ['16:30', '16:30'],
  [' 9.05 ', '09:05'],
  ['16h30', '16:30'],
  ['4pm', '16:00'],
  ['4:30 PM', '16:30'],
  ['12 am', '00:00'],
  ['24:00', '23:59'],
  ['12 p.m.', '12:00'],
])('%s is parsed as %s', (text, time) => {
  expect(parseTime(text)).toBe(time);
});

test.each(['', '24:30', '9:60', '13pm', '0am', 'noon', '9:5', '12345'])(
  '%s is not a time',
  (text) => {
    expect(parseTime(text)).toBeNull();
  },
);

test('addMinutesToTime stops at 23:59', () => {
  expect(addMinutesToTime('09:30', 45)).toBe('10:15');
  expect(addMinutesToTime('23:30', 45)).toBe('23:59');
});

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
])('%s is parsed as an amount', (text, minor) => {
  expect(parseMinorUnits(text)).toBe(minor);
});

test.each(['abc', '35.505', '1.250', '3,5,0', '12 pounds'])('%s is not an amount', (text) => {
  expect(parseMinorUnits(text)).toBeNaN();
});

test('empty text is parsed as null, not as zero', () => {
  expect(parseMinorUnits('  ')).toBeNull();
  expect(parseAmount('')).toBeNull();
});
