import type { PendingGoogleUser } from '@lessonbook/contract/google-sign-in';
import { expect, test } from 'vitest';
import { toSocialAuthInput } from './google-api.ts';

const now = new Date('2026-11-15T09:00:00Z');
const grace: PendingGoogleUser = {
  credential: 'a-credential',
  name: 'Grace Quill',
  email: 'grace.quill@gmail.com',
  providerId: '1234567890',
  photoURL: 'https://photos.example/grace',
};

test('[AUTH-40] a missing profile throws No user returned from Google', () => {
  expect(() => toSocialAuthInput(null, 'login', now)).toThrow('No user returned from Google');
  expect(() => toSocialAuthInput(null, 'signup', now)).toThrow('No user returned from Google');
});

test('[AUTH-41] the username sent is the part of the email address before the at sign', () => {
  expect(toSocialAuthInput(grace, 'login', now).username).toBe('grace.quill');
  expect(toSocialAuthInput(grace, 'signup', now).username).toBe('grace.quill');
});

test('[AUTH-42] a login without an email address sends user_ and a timestamp', () => {
  const body = toSocialAuthInput({ ...grace, email: null }, 'login', now);
  expect(body.username).toBe(`user_${now.getTime()}`);
});

test('[AUTH-43] a signup without an email address sends an empty username', () => {
  expect(toSocialAuthInput({ ...grace, email: null }, 'signup', now).username).toBe('');
});
