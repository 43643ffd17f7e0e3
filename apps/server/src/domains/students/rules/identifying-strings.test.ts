import { expect, test } from 'vitest';
import { identifyingStrings, isSameName } from './identifying-strings.ts';

test('identifyingStrings omits single-word names and short strings', () => {
  const email = 'maya@family.example';
  expect(identifyingStrings({ name: 'Maya Okafor', email, phone: '+447700900123' })).toEqual([
    'Maya Okafor',
    email,
    '+447700900123',
  ]);
  expect(identifyingStrings({ name: ' Maya ', email: null, phone: '12' })).toEqual([]);
});

test('isSameName ignores case and extra spaces', () => {
  expect(isSameName(' maya  OKAFOR ', 'Maya Okafor')).toBe(true);
  expect(isSameName('Maya', 'Maya Okafor')).toBe(false);
});
