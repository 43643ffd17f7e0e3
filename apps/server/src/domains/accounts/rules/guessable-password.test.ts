import { expect, test } from 'vitest';
import { isGuessable } from './guessable-password.ts';

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
])('[V6.2.11] %s is guessable', (password) => {
  expect(isGuessable(password, ada)).toBe(true);
});

test.each([
  'correct horse',
  'fenwick likes chalk',
  'tutoring on tuesdays',
  '93718264550',
  'пароль от школы',
  // 'ada' is too short to count as part of the name.
  'adagio in g',
])('%s is not guessable', (password) => {
  expect(isGuessable(password, ada)).toBe(false);
});
