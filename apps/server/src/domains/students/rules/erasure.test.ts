import { expect, test } from 'vitest';
import { identifyingStrings, isSameName } from './erasure.ts';

test('what is nobody else’s marks a person: not a first name, and nothing too short', () => {
  const email = 'maya@family.example';
  expect(identifyingStrings({ name: 'Maya Okafor', email, phone: '+447700900123' })).toEqual([
    'Maya Okafor',
    email,
    '+447700900123',
  ]);
  expect(identifyingStrings({ name: ' Maya ', email: null, phone: '12' })).toEqual([]);
});

test('a name is typed again as one would', () => {
  expect(isSameName(' maya  OKAFOR ', 'Maya Okafor')).toBe(true);
  expect(isSameName('Maya', 'Maya Okafor')).toBe(false);
});
