import { expect, test } from 'vitest';
import { defaultCallingCode, findPhoneProblem, normalizePhone } from './phone.ts';

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
])('%j is stored as %s', (input, stored) => {
  expect(normalizePhone(input, '+44')).toBe(stored);
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
])('%j is not a valid international number and is stored unchanged', (input) => {
  expect(normalizePhone(input, '+44')).toBe(input);
});

test('normalising is idempotent', () => {
  for (const input of ['07700 900123', '+44 (0)20 7946 0958', 'ask at school']) {
    const stored = normalizePhone(input, '+44');
    expect(normalizePhone(stored, '+44')).toBe(stored);
  }
});

test('without a calling code, only international numbers are normalised', () => {
  expect(normalizePhone('030 901820', null)).toBe('030 901820');
  expect(normalizePhone('+49 (0)30 901820', null)).toBe('+4930901820');
});

test("the calling code comes from the tutor's time zone, or is null", () => {
  expect(defaultCallingCode('Europe/London')).toBe('+44');
  expect(defaultCallingCode('Europe/Jersey')).toBe('+44');
  expect(defaultCallingCode('Europe/Berlin')).toBeNull();
  expect(defaultCallingCode('America/New_York')).toBeNull();
});

test.each([
  '07700 900123',
  '7700 900123',
  '020 7946 0958 ext. 3',
  '(020) 7946 0958',
  '+353 1 234 5678',
  '00 49 30 901820',
  '0800 1111',
])('F103 accepts %j', (input) => {
  expect(findPhoneProblem(input, '+44')).toBeNull();
});

test.each([
  ['abc', 'Enter only the number, for example 07700 900123'],
  ['07700 900123 (evenings)', 'Enter only the number, for example 07700 900123'],
  ['+', 'Enter only the number, for example 07700 900123'],
  ['456', 'This number is too short'],
  ['07700 90012', 'This number is too short'],
  ['07700 900123 456', 'This number is too long'],
  [
    '+999 1234 5678',
    'Please check this number. Numbers outside the UK start with + and the country code',
  ],
])('F103 rejects %j', (input, problem) => {
  expect(findPhoneProblem(input, '+44')).toBe(problem);
});

test('F103 without a country, a local number only needs a plausible length', () => {
  expect(findPhoneProblem('030 901820', null)).toBeNull();
  expect(findPhoneProblem('12', null)).toBe('This number is too short');
  expect(findPhoneProblem('+44 77', null)).toBe('This number is too short');
});
