import { expect, test } from 'vitest';
import { formatTrialNote, isTrialEnding } from './trial-note.ts';

test.each([
  [14, false, '14 days left in your free trial.'],
  [6, false, '6 days left in your free trial.'],
  [5, true, '5 days left in your free trial.'],
  [1, true, 'Last day of your free trial.'],
  [0, false, 'Your free trial has ended. Lessonbook is free for now, so you can carry on.'],
])('formats the note for a trial with %i days left', (days, isEnding, note) => {
  expect(isTrialEnding(days)).toBe(isEnding);
  expect(formatTrialNote(days)).toBe(note);
});
