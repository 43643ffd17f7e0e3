import { expect, test } from 'vitest';
import { plusMinutes, readTime } from './time-text.ts';

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
  ['12 p.m.', '12:00'],
])('%s is %s', (text, time) => {
  expect(readTime(text)).toBe(time);
});

test.each(['', '24:00', '9:60', '13pm', '0am', 'noon', '9:5', '12345'])('%s is no time', (text) => {
  expect(readTime(text)).toBeNull();
});

test('a day ends at 23:59', () => {
  expect(plusMinutes('09:30', 45)).toBe('10:15');
  expect(plusMinutes('23:30', 45)).toBe('23:59');
});
