import { expect, test } from 'vitest';
import {
  customTitle,
  lessonLabel,
  lessonName,
  lessonSubtitle,
  shortLessonName,
} from './lesson-names.ts';

const names = (title: string, studentName = 'Maya Okafor') => ({
  title,
  studentName,
  subjectName: 'Maths',
});

test.each([
  ['Maya Okafor - Maths', '', 'Maya Okafor - Maths'],
  ['Maya Okafor - Mock exam', 'Mock exam', 'Maya Okafor - Mock exam'],
  ['Mock exam', 'Mock exam', 'Maya Okafor - Mock exam'],
  ['Maya Okafor', '', 'Maya Okafor - Maths'],
])('F137 the label of a lesson titled %j begins with the student', (title, typed, label) => {
  expect(customTitle(names(title))).toBe(typed);
  expect(lessonLabel(names(title))).toBe(label);
});

const group = (title: string, students: { state?: string; toDate?: string | null }[]) => ({
  ...names(title, 'Maya Okafor, Leo Hale, Ida Lund'),
  students,
});

test('the label of a group has its name and the number of expected students', () => {
  const expected = { state: 'expected' };
  const session = group('Year 11 maths', [expected, { state: 'cancelled' }, expected]);
  expect(lessonLabel(session)).toBe('Year 11 maths · 2 - Maths');
  expect(shortLessonName(session)).toBe('Year 11 maths');
  expect(lessonSubtitle(session)).toBe('Maths');
});

test("a group whose title is its first student's default title is named after the subject", () => {
  const lesson = group('Maya Okafor - Maths', [{ toDate: null }, { toDate: '2026-11-30' }]);
  expect(lessonName(lesson)).toBe('Maths · 1');
});

test("the short name of a lesson with one student is the student's first name", () => {
  const single = { ...names('Mock exam'), students: [{ state: 'expected' }] };
  expect([lessonName(single), shortLessonName(single)]).toEqual(['Maya Okafor', 'Maya']);
});
