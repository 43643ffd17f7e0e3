import { expect, test } from 'vitest';
import { isEmail, normalizeLogin } from './normalize-login.ts';

test('normalizeLogin ignores case, surrounding spaces and Unicode compatibility forms', () => {
  expect(normalizeLogin('  Ada.Fenwick ')).toBe('ada.fenwick');
  expect(normalizeLogin('ＡＤＡ')).toBe('ada');
});

test('isEmail is true if the text contains an at sign', () => {
  expect(isEmail('ada@example.com')).toBe(true);
  expect(isEmail('ada.fenwick')).toBe(false);
});
