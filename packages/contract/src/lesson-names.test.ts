import { expect, test } from 'vitest';
import { customTitle, lessonLabel, lessonSubtitle } from './lesson-names.ts';

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
])('F137 the student comes before the title %s', (title, typed, label) => {
  expect(customTitle(names(title))).toBe(typed);
  expect(lessonLabel(names(title))).toBe(label);
});

test('F137 a group lists its students before the title of the first', () => {
  const group = names('Maya Okafor - Maths', 'Maya Okafor, Leo Hale');
  expect(lessonSubtitle(group)).toBe('Maths');
  expect(lessonLabel(group)).toBe('Maya Okafor, Leo Hale - Maths');
});
