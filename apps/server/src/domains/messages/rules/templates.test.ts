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
  studentName: 'Maya Okafor',
  subjectName: 'Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
  place: 'Library',
};

test('[CONST-17] times are formatted with a 12-hour clock', () => {
  expect(['00:05', '09:30', '12:00', '16:00', '23:59'].map(formatTime)).toEqual([
    '12:05 am',
    '9:30 am',
    '12:00 pm',
    '4:00 pm',
    '11:59 pm',
  ]);
});

test('lessons are formatted with the first name only', () => {
  expect(formatLessonLine(maya)).toBe('Maya: Maths, 4:00 pm to 5:00 pm, Library');
  expect(formatLessonLine({ ...maya, place: null })).toBe('Maya: Maths, 4:00 pm to 5:00 pm');
  expect(formatLessonSummary([maya, { ...maya, studentName: 'Leo', startTime: '17:00' }])).toBe(
    'Maya 4:00 pm, Leo 5:00 pm',
  );
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
      short: 'Maya 4:00 pm',
    }),
  ).toBe('Tomorrow: Maya 4:00 pm');
});
