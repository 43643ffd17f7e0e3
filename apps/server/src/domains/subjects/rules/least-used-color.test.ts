import { SUBJECT_COLORS } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { nextColor } from './least-used-color.ts';

test('colours are assigned in order', () => {
  const assigned = SUBJECT_COLORS.map((_, index) => nextColor(SUBJECT_COLORS.slice(0, index)));
  expect(assigned).toEqual(SUBJECT_COLORS);
});

test('after the last colour, assignment starts again from the first', () => {
  expect(nextColor(SUBJECT_COLORS)).toBe('pine');
  expect(nextColor([...SUBJECT_COLORS, 'pine'])).toBe('sky');
});

test('a colour that is no longer used is assigned before any colour is used twice', () => {
  expect(nextColor(['pine', 'sky', 'clay', 'ochre', 'stone'])).toBe('plum');
  expect(nextColor(['sky', 'sky', 'pine', 'plum', 'clay', 'ochre', 'stone', 'pine'])).toBe('plum');
});
