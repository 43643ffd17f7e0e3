import { expect, test } from 'vitest';
import { DEFAULT_TEMPLATES, fillTemplate } from './message-templates.ts';

test('[V1.3.5, V1.3.7] known placeholders are filled in; unknown ones and braces inside values are left unchanged', () => {
  expect(fillTemplate('Hello {name}, {wrong}', { name: '{tutor}', tutor: 'Ada' })).toBe(
    'Hello {tutor}, {wrong}',
  );
  expect(
    fillTemplate(DEFAULT_TEMPLATES.lesson_reminder.subject, {
      when: 'Tomorrow',
      summary: 'Maya 4pm',
    }),
  ).toBe('Lesson reminder: Tomorrow, Maya 4pm');
});

test('the text of a template that repeats a long placeholder is limited in length', () => {
  const filled = fillTemplate('{lessons}'.repeat(200), { lessons: 'x'.repeat(3_000) });
  expect(filled).toHaveLength(18_000);
});
