import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Counter } from 'prom-client';
import { randomToken } from './tokens.ts';

/** The first option recommended by OWASP: Argon2id with 19 MiB, two iterations and one lane. */
const argon2Options = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export const hashPassword = (password: string): Promise<string> => hash(password, argon2Options);

/** Verified for unknown usernames, so that they take as long as known ones. */
const dummyHash = hashPassword(randomToken());

/** A sharp rise indicates credential stuffing. */
const passwordChecks = new Counter({
  name: 'lessonbook_password_checks_total',
  help: 'Password checks, by outcome',
  labelNames: ['outcome'],
});

export async function checkPassword(
  storedHash: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(storedHash ?? (await dummyHash), password);
  const isCorrect = matches && storedHash !== null && storedHash !== undefined;
  passwordChecks.inc({ outcome: isCorrect ? 'right' : 'wrong' });
  return isCorrect;
}
