import { SUBJECT_COLORS } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { nextColor } from './color.ts';

test('the first subject gets the first tone, the next ones the others in turn', () => {
  const given = SUBJECT_COLORS.map((_, index) => nextColor(SUBJECT_COLORS.slice(0, index)));
  expect(given).toEqual(SUBJECT_COLORS);
});

test('after a full turn it begins anew', () => {
  expect(nextColor(SUBJECT_COLORS)).toBe('pine');
  expect(nextColor([...SUBJECT_COLORS, 'pine'])).toBe('sky');
});

test('a tone that became free is given before any is worn twice', () => {
  expect(nextColor(['pine', 'sky', 'clay', 'ochre', 'stone'])).toBe('plum');
  expect(nextColor(['sky', 'sky', 'pine', 'plum', 'clay', 'ochre', 'stone', 'pine'])).toBe('plum');
});
