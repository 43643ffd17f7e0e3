import { expect, test } from 'vitest';
import { isGuessable } from './password-policy.ts';

const ada = { username: 'ada.fenwick', email: 'countess@example.com', name: 'Ada King Fenwick' };

test.each([
  'lessonbook',
  'LessonBook2026',
  'my-tutor-1',
  'ada.fenwick',
  'Fenwick!1815',
  'countess99',
  'fenwickcountess',
  'passwordpassword',
])('[V6.2.11] %s is what somebody would try first', (password) => {
  expect(isGuessable(password, ada)).toBe(true);
});

test.each([
  'correct horse',
  'fenwick likes chalk',
  'tutoring on tuesdays',
  '93718264550',
  'пароль от школы',
  // Too short a part of a name to mean anything.
  'adagio in g',
])('%s is not', (password) => {
  expect(isGuessable(password, ada)).toBe(false);
});
