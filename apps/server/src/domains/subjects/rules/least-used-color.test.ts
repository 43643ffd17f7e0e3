import { SUBJECT_COLORS } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { leastUsedColor } from './least-used-color.ts';

test('colours are assigned in order', () => {
  const assigned = SUBJECT_COLORS.map((_, index) => leastUsedColor(SUBJECT_COLORS.slice(0, index)));
  expect(assigned).toEqual(SUBJECT_COLORS);
});

test('after the last colour, assignment starts again from the first', () => {
  expect(leastUsedColor(SUBJECT_COLORS)).toBe('pine');
  expect(leastUsedColor([...SUBJECT_COLORS, 'pine'])).toBe('sky');
});

test('a colour that is no longer used is assigned before any colour is used twice', () => {
  expect(leastUsedColor(['pine', 'sky', 'clay', 'ochre', 'stone'])).toBe('plum');
  expect(leastUsedColor(['sky', 'sky', 'pine', 'plum', 'clay', 'ochre', 'stone', 'pine'])).toBe(
    'plum',
  );
});
