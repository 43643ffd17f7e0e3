import type { User } from '@lessonbook/contract/accounts';
import type { Context } from '../../../context.ts';
import type { CookieContent, LoginCookies } from '../../../platform/cookies.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Visitor } from '../../../platform/http.ts';
import { insertSecondStep } from '../queries/second-steps.ts';
import { secondStepExpiry } from '../rules/lifetimes.ts';
import { hasSecondFactor } from './factors.ts';
import { readUser } from './profile.ts';
import { startLogin, type WayIn } from './start-login.ts';

/** Inside, or before the second step with what this browser is known by there. */
export type Door = { login: LoginCookies } | { step: CookieContent };

export type Entrance = { user: User; login: LoginCookies } | { step: CookieContent };

const TRIES = 5;

/**
 * The password was right, or Google vouched: a login, or, where there is a second factor, what asks for it. That is no
 * login: it stands in a table of its own, and no endpoint but those of the second step looks there.
 */
export async function comeIn(
  context: Context,
  tx: Tx,
  tutorId: string,
  visitor: Visitor,
  by: WayIn,
): Promise<Door> {
  if (await hasSecondFactor(tx, tutorId))
    return { step: await startSecondStep(context, tx, tutorId) };
  return { login: await startLogin(context, tx, tutorId, visitor, by) };
}

export async function startSecondStep(
  context: Context,
  tx: Tx,
  tutorId: string,
  googleSubject: string | null = null,
): Promise<CookieContent> {
  const token = randomToken(32);
  const expiresAt = secondStepExpiry(context.clock.now());
  await insertSecondStep(tx, {
    tokenHash: sha256(token),
    tutorId,
    googleSubject,
    triesLeft: TRIES,
    expiresAt,
  });
  return { value: token, expiresAt };
}

export const welcome = async (context: Context, tutorId: string, door: Door): Promise<Entrance> =>
  'step' in door ? door : { user: await readUser(context, tutorId), login: door.login };
