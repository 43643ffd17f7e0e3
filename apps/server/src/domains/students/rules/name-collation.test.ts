import { expect, test } from 'vitest';
import { compareByName } from './name-collation.ts';

test('sorts by name regardless of case and accents', () => {
  const names = ['Zoë', 'Élodie', 'anna', 'Dan', 'Felix', 'Oscar', 'obi'];
  const sorted = names.map((name, id) => ({ id, name })).toSorted(compareByName);
  expect(sorted.map(({ name }) => name)).toEqual([
    'anna',
    'Dan',
    'Élodie',
    'Felix',
    'obi',
    'Oscar',
    'Zoë',
  ]);
});

test('sorts equal names by id', () => {
  const twins = [
    { id: 2, name: 'Maya' },
    { id: 1, name: 'Maya' },
  ];
  expect(twins.toSorted(compareByName).map(({ id }) => id)).toEqual([1, 2]);
});
