import { expect, test } from 'vitest';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  formatLessonLine,
  formatLessonSummary,
  formatRelativeDate,
  formatTime,
} from './templates.ts';

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
  expect(times.map(formatTime)).toEqual([
    '12 midnight',
    '12:05 am',
    '9:30 am',
    '12 noon',
    '12:30 pm',
    '4:00 pm',
    '11:59 pm',
  ]);
});

test('lessons are formatted with the first name only', () => {
  expect(formatLessonLine(maya, ruth)).toBe('Maya: Maths, 4:00 pm to 5:00 pm, Library');
  expect(formatLessonLine({ ...maya, place: null }, ruth)).toBe('Maya: Maths, 4:00 pm to 5:00 pm');
  const leo = { ...maya, studentId: 2, studentName: 'Leo', startTime: '17:00' };
  expect(formatLessonSummary([maya, leo], ruth)).toBe('Maya 4:00 pm, Leo 5:00 pm');
});

test('F88 a student is not named to themselves', () => {
  const reader = { ...ruth, studentId: 1 };
  expect(formatLessonLine(maya, reader)).toBe('Maths, 4:00 pm to 5:00 pm, Library');
  expect(formatLessonSummary([maya], reader)).toBe('Maths 4:00 pm');
});

test('F84 a reader in another time zone gets both times, and the date if it differs', () => {
  const lesson = { ...maya, place: null };
  const at = (timeZone: string) => formatLessonLine(lesson, { ...ruth, timeZone });
  expect(at('Asia/Dubai')).toBe('Maya: Maths, 4:00 pm to 5:00 pm London time (8:00 pm your time)');
  expect(at('Asia/Tokyo')).toBe(
    'Maya: Maths, 4:00 pm to 5:00 pm London time (1:00 am on Wed 18 Nov your time)',
  );
  // The same offset in November.
  expect(at('Europe/Lisbon')).toBe('Maya: Maths, 4:00 pm to 5:00 pm');
});

test('today and tomorrow are shown as words, other days as dates', () => {
  expect(
    ['2026-11-16', '2026-11-17', '2026-11-18', '2027-01-02'].map((day) =>
      formatRelativeDate(day, '2026-11-16'),
    ),
  ).toEqual(['Today', 'Tomorrow', 'Wed 18 Nov', 'Sat 2 Jan 2027']);
});

test('[V1.3.5, V1.3.7] known placeholders are filled in; unknown ones and braces inside values are left unchanged', () => {
  expect(fillTemplate('Hello {name}, {wrong}', { name: '{tutor}', tutor: 'Ada' })).toBe(
    'Hello {tutor}, {wrong}',
  );
  expect(
    fillTemplate(DEFAULT_TEMPLATES.lesson_reminder.subject, {
      when: 'Tomorrow',
      summary: 'Maya 4:00 pm',
    }),
  ).toBe('Lesson reminder: Tomorrow, Maya 4:00 pm');
});

test('a template that repeats a long placeholder does not become megabytes', () => {
  const filled = fillTemplate('{lessons}'.repeat(200), { lessons: 'x'.repeat(3_000) });
  expect(filled).toHaveLength(18_000);
});
