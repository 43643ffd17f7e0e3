import { expect, test } from 'vitest';
import { isEmail, normalizeLogin } from './normalize-login.ts';

test('letter case, outer spaces and compatibility forms do not make a second name', () => {
  expect(normalizeLogin('  Ada.Fenwick ')).toBe('ada.fenwick');
  expect(normalizeLogin('ＡＤＡ')).toBe('ada');
});

test('an at-sign tells an address from a username', () => {
  expect(isEmail('ada@example.com')).toBe(true);
  expect(isEmail('ada.fenwick')).toBe(false);
});
