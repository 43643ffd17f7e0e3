import { expect, test } from 'vitest';
import { compareByName } from './name-collation.ts';

test('neither capitals nor accents send a name to the end', () => {
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

test('of two with one name the elder comes first', () => {
  const twins = [
    { id: 2, name: 'Maya' },
    { id: 1, name: 'Maya' },
  ];
  expect(twins.toSorted(compareByName).map(({ id }) => id)).toEqual([1, 2]);
});
