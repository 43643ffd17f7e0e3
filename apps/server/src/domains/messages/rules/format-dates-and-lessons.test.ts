import { formatTime12 } from '@lessonbook/contract/format-time';
import { expect, test } from 'vitest';
import {
  formatLessonLine,
  formatLessonSummary,
  formatRelativeDate,
} from './format-dates-and-lessons.ts';

const maya = {
  studentId: 1,
  studentName: 'Maya Okafor',
  subjectName: 'Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  place: 'Library',
};

const london = 'Europe/London';
const ruth = { studentId: null, timeZone: london, tutorTimeZone: london };

test('[CONST-17] F84 times are formatted with a 12-hour clock', () => {
  const times = ['00:00', '00:05', '09:30', '12:00', '12:30', '16:00', '23:59'];
  expect(times.map(formatTime12)).toEqual([
    '12 midnight',
    '12:05am',
    '9:30am',
    '12 noon',
    '12:30pm',
    '4pm',
    '11:59pm',
  ]);
});

test('lessons are formatted with the first name only', () => {
  expect(formatLessonLine(maya, ruth)).toBe('Maya: Maths, 4pm to 5pm, Library');
  expect(formatLessonLine({ ...maya, place: null }, ruth)).toBe('Maya: Maths, 4pm to 5pm');
  const leo = { ...maya, studentId: 2, studentName: 'Leo', startTime: '17:00' };
  expect(formatLessonSummary([maya, leo], ruth)).toBe('Maya 4pm, Leo 5pm');
});

test('F88 a student is not named to themselves', () => {
  const reader = { ...ruth, studentId: 1 };
  expect(formatLessonLine(maya, reader)).toBe('Maths, 4pm to 5pm, Library');
  expect(formatLessonSummary([maya], reader)).toBe('Maths 4pm');
});

test('F84 a reader in another time zone gets both times, and the date if it differs', () => {
  const lesson = { ...maya, place: null };
  const at = (timeZone: string) => formatLessonLine(lesson, { ...ruth, timeZone });
  expect(at('Asia/Dubai')).toBe('Maya: Maths, 4pm to 5pm London time (8pm your time)');
  expect(at('Asia/Tokyo')).toBe(
    'Maya: Maths, 4pm to 5pm London time (1am on Wed 18 Nov, your time)',
  );
  // Lisbon has the same UTC offset as London in November.
  expect(at('Europe/Lisbon')).toBe('Maya: Maths, 4pm to 5pm');
});

test('today and tomorrow are written as words, and other days as dates', () => {
  expect(
    ['2026-11-16', '2026-11-17', '2026-11-18', '2027-01-02'].map((day) =>
      formatRelativeDate(day, '2026-11-16'),
    ),
  ).toEqual(['Today', 'Tomorrow', 'Wed 18 Nov', 'Sat 2 Jan 2027']);
});
