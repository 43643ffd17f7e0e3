import { expect, test } from 'vitest';
import { sortByName } from './sort-by-name.ts';

test('sorts by name regardless of case and accents', () => {
  const names = ['Zoë', 'Élodie', 'anna', 'Dan', 'Felix', 'Oscar', 'obi'];
  const sorted = sortByName(names.map((name, id) => ({ id, name })));
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
  const namesakes = [
    { id: 2, name: 'Maya' },
    { id: 1, name: 'Maya' },
  ];
  expect(sortByName(namesakes).map(({ id }) => id)).toEqual([1, 2]);
});
