import type { User } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { CookieValue, LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { insertMfaChallenge } from '../../queries/mfa-challenges.ts';
import { mfaChallengeExpiry } from '../../rules/expirations.ts';
import { hasMfa } from '../mfa/mfa-factors.ts';
import { readUser } from '../profile/read-tutor.ts';
import { createLogin, type LoginMethod } from './create-login.ts';

/** A login, or the cookie for an MFA challenge if a second factor is required. */
export type LoginOutcome = { login: LoginCookies } | { mfaChallenge: CookieValue };

/** The response to a login request: the outcome, with the user if the login is complete. */
export type LoginResult = { user: User; login: LoginCookies } | { mfaChallenge: CookieValue };

const MFA_MAX_ATTEMPTS = 5;

/**
 * Called once the password or the Google login has been verified. An MFA challenge is not a login: it is stored in its
 * own table, which only the MFA endpoints read.
 */
export async function completeLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  requestContext: RequestContext,
  method: LoginMethod,
): Promise<LoginOutcome> {
  if (await hasMfa(tx, tutorId))
    return { mfaChallenge: await createMfaChallenge(context, tx, tutorId) };
  return { login: await createLogin(context, tx, tutorId, requestContext, method) };
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
    attemptsLeft: MFA_MAX_ATTEMPTS,
    expiresAt,
  });
  return { value: token, expiresAt };
}

export const toLoginResult = async (
  context: Context,
  tutorId: string,
  outcome: LoginOutcome,
): Promise<LoginResult> =>
  'mfaChallenge' in outcome
    ? outcome
    : { user: await readUser(context, tutorId), login: outcome.login };
