import { expect, test } from 'vitest';
import { callingCodeOf, normalizePhone } from './phone.ts';

test.each([
  ['07700 900123', '+447700900123'],
  ['(020) 7946 0958', '+442079460958'],
  ['(0)20 7946 0958', '+442079460958'],
  ['020.7946.0958', '+442079460958'],
  ['020-7946-0958', '+442079460958'],
  ['020\u20117946\u20130958', '+442079460958'],
  ['+44 7700 900123', '+447700900123'],
  ['+44 (0)20 7946 0958', '+442079460958'],
  ['+44 (0) 7700 900123', '+447700900123'],
  ['+44 07700 900123', '+447700900123'],
  ['0044 7700 900123', '+447700900123'],
  ['00 44 (0)7700 900123', '+447700900123'],
  ['+49 30 901820', '+4930901820'],
  ['+39 06 6982', '+39066982'],
  ['0033 1 23 45 67 89', '+33123456789'],
  ['\u202A+44 7700 900123\u202C', '+447700900123'],
  ['+447700900123', '+447700900123'],
])('%j is kept as %s', (typed, stored) => {
  expect(normalizePhone(typed, '+44')).toBe(stored);
});

test.each([
  '7700 900123',
  '07700 900123 (evenings)',
  '020 7946 0958 ext. 3',
  'ask at school',
  '999',
  '+0 123 456 789',
  '+44 77',
  '+44 7700 900123 / 07700 900124',
  '000',
  '+',
])('%j cannot be read as a number with a country and stays as it was typed', (typed) => {
  expect(normalizePhone(typed, '+44')).toBe(typed);
});

test('what was stored is stored the same way again', () => {
  for (const typed of ['07700 900123', '+44 (0)20 7946 0958', 'ask at school']) {
    const stored = normalizePhone(typed, '+44');
    expect(normalizePhone(stored, '+44')).toBe(stored);
  }
});

test('where the country is not known, only a number that names its own is read', () => {
  expect(normalizePhone('030 901820', null)).toBe('030 901820');
  expect(normalizePhone('+49 (0)30 901820', null)).toBe('+4930901820');
});

test("the tutor's zone tells the country, or nothing does", () => {
  expect(callingCodeOf('Europe/London')).toBe('+44');
  expect(callingCodeOf('Europe/Jersey')).toBe('+44');
  expect(callingCodeOf('Europe/Berlin')).toBeNull();
  expect(callingCodeOf('America/New_York')).toBeNull();
});
