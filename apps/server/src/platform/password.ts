import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { randomToken } from './crypto.ts';

/** OWASP's first choice: Argon2id with 19 MiB, two passes, one lane. */
const cost = {
  algorithm: 2 as Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
};

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

/** What an unknown name is checked against, so that it takes as long as a known one. */
const nobody = hashPassword(randomToken());

export async function checkPassword(
  stored: string | null | undefined,
  password: string,
): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return matches && stored !== null && stored !== undefined;
}
