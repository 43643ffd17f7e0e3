import { randomBytes } from 'node:crypto';
import { accounts, type SignupInput, type User } from '@lessonbook/contract/accounts';
import { type APIRequestContext, expect } from '@playwright/test';
import type { MailClient } from './mail-client.ts';

export interface Person extends SignupInput {
  timeZone: string;
}

export type Tutor = Person & Pick<User, 'id'>;

/** Somebody nobody has heard of yet. */
export function newPerson(name = 'Ada Fenwick'): Person {
  const username = `tutor.${randomBytes(6).toString('hex')}`;
  return {
    name,
    username,
    email: `${username}@families.example`,
    password: 'chalk and board',
    timeZone: 'Europe/London',
  };
}

/** Signs up and logs in by the API; the cookie stays with the browser that the request context belongs to. */
export async function createTutor(
  api: APIRequestContext,
  origin: string,
  person: Person = newPerson(),
): Promise<Tutor> {
  await signUp(api, origin, person);
  const { username, password } = person;
  const answer = await api.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: { username, password },
  });
  expect(answer.status()).toBe(200);
  const { id } = (await answer.json()) as User;
  return { ...person, id };
}

export async function signUp(
  api: APIRequestContext,
  origin: string,
  person: Person,
): Promise<void> {
  const answer = await api.post(`${origin}${accounts.signup.path}`, {
    headers: { origin },
    data: person,
  });
  expect(answer.status()).toBe(201);
}

/** By the API, with the link that was mailed. */
export async function confirmEmail(
  api: APIRequestContext,
  origin: string,
  { email }: Person,
  mail: MailClient,
): Promise<void> {
  const link = await mail.waitForLink(email, /^Confirm your email/);
  const answer = await api.post(`${origin}${accounts.confirmEmail.path}`, {
    headers: { origin },
    data: { token: link.split('/').at(-1) },
  });
  expect(answer.status()).toBe(200);
}
