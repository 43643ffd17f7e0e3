import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Counter } from 'prom-client';
import { randomToken } from './tokens.ts';

/** The first option recommended by OWASP: Argon2id with 19 MiB, two iterations and one lane. */
const cost = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** Verified for unknown usernames, so that they take as long as known ones. */
const dummyHash = hashPassword(randomToken());

/** A sharp rise indicates credential stuffing. */
const checks = new Counter({
  name: 'lessonbook_password_checks_total',
  help: 'Password checks, by outcome',
  labelNames: ['outcome'],
});

export async function checkPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(stored ?? (await dummyHash), password);
  const right = matches && stored !== null && stored !== undefined;
  checks.inc({ outcome: right ? 'right' : 'wrong' });
  return right;
}
