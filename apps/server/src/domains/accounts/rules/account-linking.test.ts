import { describe, expect, test } from 'vitest';
import {
  decideLinking,
  displayNameFrom,
  isAuthoritative,
  usernameCandidates,
} from './account-linking.ts';

const person = (email: string, emailVerified = true, hostedDomain: string | null = null) => ({
  email,
  emailVerified,
  hostedDomain,
});

describe('whether Google runs the mailbox', () => {
  test.each([
    ['Gmail', person('ada@gmail.com'), true],
    ['Gmail in capitals', person('ADA@GMAIL.COM'), true],
    ['a verified address of a school', person('ada@school.example', true, 'school.example'), true],
    ['an unverified one', person('ada@school.example', false, 'school.example'), false],
    ['a verified one of nobody', person('ada@school.example'), false],
    ['a domain that ends like Gmail', person('ada@notgmail.com'), false],
    ['a domain that begins like Gmail', person('ada@gmail.com.evil.example'), false],
    ['Gmail before the at-sign', person('ada@gmail.com@evil.example'), false],
  ])('%s', (_, who, expected) => {
    expect(isAuthoritative(who)).toBe(expected);
  });
});

describe('an account that has the address already', () => {
  const account = {
    emailVerifiedAt: new Date('2026-11-01T09:00:00Z'),
    passwordHash: 'hash',
    isDemo: false,
    hasGoogle: false,
  };

  test.each([
    ['proven on both sides', {}, 'by itself'],
    ['not confirmed here', { emailVerifiedAt: null }, 'by password'],
    ['linked with another Google account', { hasGoogle: true }, 'by password'],
    ['without a password', { passwordHash: null }, 'by password'],
    ['the demo', { isDemo: true }, 'never'],
  ])('%s', (_, change, way) => {
    expect(decideLinking(person('ada@gmail.com'), { ...account, ...change })).toBe(way);
  });

  test('whose mailbox Google does not run', () => {
    expect(decideLinking(person('ada@families.example'), account)).toBe('by password');
  });
});

describe('[AUTH-41] the username', () => {
  test.each([
    ['ada.fenwick@gmail.com', 'ada.fenwick'],
    ['Ada+lessons@gmail.com', 'ada'],
    ['zoë_b@gmail.com', 'zoe_b'],
    ["o'neil@gmail.com", 'oneil'],
    ['al@gmail.com', 'tutor.al'],
    ['李@example.com', 'tutor'],
    [`${'a'.repeat(64)}@example.com`, 'a'.repeat(40)],
  ])('of %s is %s', (email, username) => {
    expect(usernameCandidates(email, 3)).toEqual([username, `${username}2`, `${username}3`]);
  });
});

describe('the name', () => {
  test.each([
    ['Ada Fenwick', 'ada@gmail.com', 'Ada Fenwick'],
    [null, 'ada@gmail.com', 'ada'],
    [' A ', 'ada@gmail.com', 'ada'],
    [null, 'a@gmail.com', 'Tutor'],
    ['😀'.repeat(200), 'ada@gmail.com', '😀'.repeat(50)],
  ])('%s of %s is %s', (name, email, expected) => {
    expect(displayNameFrom(name, email)).toBe(expected);
  });
});
