import { SUBJECT_COLORS } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { nextColor } from './color.ts';

test('colours are assigned in order', () => {
  const assigned = SUBJECT_COLORS.map((_, index) => nextColor(SUBJECT_COLORS.slice(0, index)));
  expect(assigned).toEqual(SUBJECT_COLORS);
});

test('after the last colour it starts again', () => {
  expect(nextColor(SUBJECT_COLORS)).toBe('pine');
  expect(nextColor([...SUBJECT_COLORS, 'pine'])).toBe('sky');
});

test('a freed colour is used before any is used twice', () => {
  expect(nextColor(['pine', 'sky', 'clay', 'ochre', 'stone'])).toBe('plum');
  expect(nextColor(['sky', 'sky', 'pine', 'plum', 'clay', 'ochre', 'stone', 'pine'])).toBe('plum');
});
