import { describe, expect, test } from 'vitest';
import { decideLinking, isGoogleAuthoritative } from './account-linking.ts';
import { toDisplayName, usernameCandidates } from './google-sign-up-names.ts';

const profile = (email: string, emailVerified = true, hostedDomain: string | null = null) => ({
  email,
  emailVerified,
  hostedDomain,
});

describe('isGoogleAuthoritative', () => {
  test.each([
    ['Gmail', profile('ada@gmail.com'), true],
    ['Gmail in capitals', profile('ADA@GMAIL.COM'), true],
    ['a verified school address', profile('ada@school.example', true, 'school.example'), true],
    ['an unverified school address', profile('ada@school.example', false, 'school.example'), false],
    ['a verified address without a hosted domain', profile('ada@school.example'), false],
    ['a domain that ends with gmail.com', profile('ada@notgmail.com'), false],
    ['a domain that starts with gmail.com', profile('ada@gmail.com.evil.example'), false],
    ['gmail.com before the last @', profile('ada@gmail.com@evil.example'), false],
  ])('%s', (_, googleProfile, expected) => {
    expect(isGoogleAuthoritative(googleProfile)).toBe(expected);
  });
});

describe('decideLinking', () => {
  const account = {
    emailVerifiedAt: new Date('2026-11-01T09:00:00Z'),
    passwordHash: 'hash',
    isDemo: false,
    hasGoogle: false,
  };

  test.each([
    ['verified on both sides', {}, 'automatic'],
    ['not verified here', { emailVerifiedAt: null }, 'with_password'],
    ['linked to another Google account', { hasGoogle: true }, 'with_password'],
    ['without a password', { passwordHash: null }, 'with_password'],
    ['the demo account', { isDemo: true }, 'never'],
  ])('%s', (_, change, expected) => {
    expect(decideLinking(profile('ada@gmail.com'), { ...account, ...change })).toBe(expected);
  });

  test('requires the password for a mailbox not hosted by Google', () => {
    expect(decideLinking(profile('ada@families.example'), account)).toBe('with_password');
  });
});

describe('[AUTH-41] usernameCandidates', () => {
  test.each([
    ['ada.fenwick@gmail.com', 'ada.fenwick'],
    ['Ada+lessons@gmail.com', 'ada'],
    ['zoë_b@gmail.com', 'zoe_b'],
    ["o'neil@gmail.com", 'oneil'],
    ['al@gmail.com', 'tutor.al'],
    ['李@example.com', 'tutor'],
    [`${'a'.repeat(64)}@example.com`, 'a'.repeat(40)],
  ])('%s gives %s', (email, username) => {
    expect(usernameCandidates(email, 3)).toEqual([username, `${username}2`, `${username}3`]);
  });
});

describe('toDisplayName', () => {
  test.each([
    ['Ada Fenwick', 'ada@gmail.com', 'Ada Fenwick'],
    [null, 'ada@gmail.com', 'ada'],
    [' A ', 'ada@gmail.com', 'ada'],
    [null, 'a@gmail.com', 'Tutor'],
    ['😀'.repeat(200), 'ada@gmail.com', '😀'.repeat(50)],
  ])('%s and %s give %s', (name, email, expected) => {
    expect(toDisplayName(name, email)).toBe(expected);
  });
});
