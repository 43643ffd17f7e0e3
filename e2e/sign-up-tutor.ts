import { randomBytes } from 'node:crypto';
import { accounts, type SignupInput, type User } from '@lessonbook/contract/accounts';
import { type APIRequestContext, expect } from '@playwright/test';
import type { MailClient } from './mail-client.ts';

export interface Person extends SignupInput {
  timeZone: string;
}

export type Tutor = Person & Pick<User, 'id'>;

/** Returns unique sign-up data. */
export function newSignupData(name = 'Ada Fenwick'): Person {
  const username = `tutor.${randomBytes(6).toString('hex')}`;
  return {
    name,
    username,
    email: `${username}@families.example`,
    password: 'chalk and board',
    timeZone: 'Europe/London',
  };
}

/** Signs up and logs in through the API; the cookie is stored in the browser context of `api`. */
export async function createTutor(
  api: APIRequestContext,
  origin: string,
  person: Person = newSignupData(),
): Promise<Tutor> {
  await signUp(api, origin, person);
  const { username, password } = person;
  const response = await api.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: { username, password },
  });
  expect(response.status()).toBe(200);
  const { id } = (await response.json()) as User;
  return { ...person, id };
}

export async function signUp(
  api: APIRequestContext,
  origin: string,
  person: Person,
): Promise<void> {
  const response = await api.post(`${origin}${accounts.signup.path}`, {
    headers: { origin },
    data: person,
  });
  expect(response.status()).toBe(201);
}

/** Confirms the email address through the API, with the link from the email. */
export async function confirmEmail(
  api: APIRequestContext,
  origin: string,
  { email }: Person,
  mail: MailClient,
): Promise<void> {
  const link = await mail.waitForLink(email, /^Confirm your email/);
  const response = await api.post(`${origin}${accounts.confirmEmail.path}`, {
    headers: { origin },
    data: { token: link.split('/').at(-1) },
  });
  expect(response.status()).toBe(200);
}
