import type { User } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { CookieValue, LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { insertMfaChallenge } from '../../queries/mfa-challenges.ts';
import { mfaChallengeExpiry } from '../../rules/expirations.ts';
import { hasMfa } from '../mfa/mfa-factors.ts';
import { readUser } from '../profile/profile.ts';
import { createLogin, type LoginMethod } from './create-login.ts';

/** Inside, or before the second step with what this browser is known by there. */
export type LoginOutcome = { login: LoginCookies } | { step: CookieValue };

export type LoginResult = { user: User; login: LoginCookies } | { step: CookieValue };

const MFA_MAX_ATTEMPTS = 5;

/**
 * The password was right, or Google vouched: a login, or, where there is a second factor, what asks for it. That is no
 * login: it stands in a table of its own, and no endpoint but those of the second step looks there.
 */
export async function completeLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  requestContext: RequestContext,
  by: LoginMethod,
): Promise<LoginOutcome> {
  if (await hasMfa(tx, tutorId)) return { step: await createMfaChallenge(context, tx, tutorId) };
  return { login: await createLogin(context, tx, tutorId, requestContext, by) };
}

export async function createMfaChallenge(
  context: Context,
  tx: Tx,
  tutorId: string,
  googleSubject: string | null = null,
): Promise<CookieValue> {
  const token = randomToken(32);
  const expiresAt = mfaChallengeExpiry(context.clock.now());
  await insertMfaChallenge(tx, {
    tokenHash: sha256(token),
    tutorId,
    googleSubject,
    triesLeft: MFA_MAX_ATTEMPTS,
    expiresAt,
  });
  return { value: token, expiresAt };
}

export const toLoginResult = async (
  context: Context,
  tutorId: string,
  outcome: LoginOutcome,
): Promise<LoginResult> =>
  'step' in outcome ? outcome : { user: await readUser(context, tutorId), login: outcome.login };
