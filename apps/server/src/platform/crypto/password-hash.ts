import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Counter } from 'prom-client';
import { randomToken } from './tokens.ts';

/** OWASP's first choice: Argon2id with 19 MiB, two passes, one lane. */
const cost = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** What an unknown name is checked against, so that it takes as long as a known one. */
const dummyHash = hashPassword(randomToken());

/** A steep rise is somebody trying passwords that were stolen elsewhere. */
const checks = new Counter({
  name: 'lessonbook_password_checks_total',
  help: 'Passwords that were really compared with a stored one, by what came of it',
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
