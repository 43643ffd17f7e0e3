import { expect, test } from 'vitest';
import { compareByName } from './name-collation.ts';

test('compareByName sorts by name regardless of case and accents, and 9 before 10', () => {
  const names = ['Zoology', 'Écriture', 'art', 'Year 10', 'Drama', 'Year 9', 'french'];
  const sorted = names.map((name, id) => ({ id, name })).toSorted(compareByName);
  expect(sorted.map(({ name }) => name)).toEqual([
    'art',
    'Drama',
    'Écriture',
    'french',
    'Year 9',
    'Year 10',
    'Zoology',
  ]);
});

test('compareByName sorts equal names by id', () => {
  const sameName = [
    { id: 2, name: 'Art' },
    { id: 1, name: 'Art' },
  ];
  expect(sameName.toSorted(compareByName).map(({ id }) => id)).toEqual([1, 2]);
});
