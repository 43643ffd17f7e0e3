import { TONES } from '@lessonbook/contract/subjects';
import { expect, test } from 'vitest';
import { nextTone } from './tone.ts';

test('the first subject gets the first tone, the next ones the others in turn', () => {
  const given = TONES.map((_, index) => nextTone(TONES.slice(0, index)));
  expect(given).toEqual(TONES);
});

test('after a full turn it begins anew', () => {
  expect(nextTone(TONES)).toBe('pine');
  expect(nextTone([...TONES, 'pine'])).toBe('sky');
});

test('a tone that became free is given before any is worn twice', () => {
  expect(nextTone(['pine', 'sky', 'clay', 'ochre', 'stone'])).toBe('plum');
  expect(nextTone(['sky', 'sky', 'pine', 'plum', 'clay', 'ochre', 'stone', 'pine'])).toBe('plum');
});
