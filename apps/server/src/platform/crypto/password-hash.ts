import { availableParallelism } from 'node:os';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { Counter } from 'prom-client';
import { AppError } from '../app-error.ts';
import { randomToken } from './tokens.ts';

/** The first option recommended by OWASP: Argon2id with 19 MiB, two iterations and one lane. */
const argon2Options = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

/** Leaves a processor, and one of the four threads that Node uses for files and DNS, free for other requests. */
const MAX_CONCURRENT = Math.max(1, Math.min(3, availableParallelism() - 1));
let running = 0;
const waiting: (() => void)[] = [];
const MAX_WAITING = 100;

/** Runs at most `MAX_CONCURRENT` calls at once; the others wait in order. */
async function withConcurrencyLimit<Result>(work: () => Promise<Result>): Promise<Result> {
  if (waiting.length >= MAX_WAITING) throw busyError();
  // A finished call hands its slot to the next waiting one without changing the count, so that a new call cannot take it.
  if (running >= MAX_CONCURRENT) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

const busyError = () =>
  new AppError('unavailable', 'Lessonbook is busy. Please try again in a moment.', {
    retryAfterSeconds: 5,
  });

export const hashPassword = (password: string): Promise<string> =>
  withConcurrencyLimit(() => hash(password, argon2Options));

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
  const hashToVerify = storedHash ?? (await dummyHash);
  const matches = await withConcurrencyLimit(() => verify(hashToVerify, password));
  const isCorrect = matches && storedHash !== null && storedHash !== undefined;
  passwordChecks.inc({ outcome: isCorrect ? 'right' : 'wrong' });
  return isCorrect;
}
