import type { User } from '@lessonbook/contract/accounts';
import type { MfaChallenge, PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { createAuthenticationOptions } from '../../../../platform/crypto/webauthn.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';
import type { LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import {
  consumeMfaAttempt,
  consumeMfaChallenge,
  findOpenMfaChallenge,
} from '../../queries/mfa-challenges.ts';
import { passkeysOf } from '../../queries/passkeys.ts';
import { lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
import { createLogin, type LoginMethod } from '../auth/create-login.ts';
import { linkIdentity } from '../google/link-google.ts';
import { readUser } from '../profile/read-tutor.ts';
import { mfaByAccount } from '../rate-limits.ts';
import { consumeMfaCode } from './mfa-codes.ts';
import { getMfaFactors } from './mfa-factors.ts';
import {
  getRelyingParty,
  invalidPasskeyError,
  recordPasskeyUse,
  storeChallenge,
  verifyPasskeyResponse,
} from './passkey-verification.ts';

const challengeExpiredError = () =>
  new AppError('link_expired', 'That took too long or too many attempts. Please log in again.');

export function invalidCodeError(): AppError {
  const message = "That code isn't right";
  return new AppError('invalid', message, { fields: { code: message } });
}

/** Returns the factors this account has. Requires a challenge, so nothing is revealed before the first factor. */
export async function readMfaChallenge(context: Context, token: string): Promise<MfaChallenge> {
  const { db, clock } = context;
  const challenge = await findOpenMfaChallenge(db.global, sha256(token), clock.now());
  if (!challenge) throw challengeExpiredError();
  return db.tutorSnapshot(challenge.tutorId, (tx) => getMfaFactors(tx, challenge.tutorId));
}

export async function verifyMfaCode(
  context: Context,
  token: string,
  code: string,
  requestContext: RequestContext,
): Promise<{ user: User; login: LoginCookies }> {
  const tutorId = await consumeAttempt(context, token);
  return completeMfaLogin(context, token, tutorId, requestContext, 'code', async (tx) => {
    if (!(await consumeMfaCode(context, tx, tutorId, code))) throw invalidCodeError();
  });
}

const challengeScope = (token: string) => ({ purpose: 'mfa' as const, cookieHash: sha256(token) });

export async function createMfaPasskeyOptions(context: Context, token: string) {
  const { db, clock } = context;
  const challenge = await findOpenMfaChallenge(db.global, sha256(token), clock.now());
  if (!challenge) throw challengeExpiredError();
  const passkeys = await passkeysOf(db.global, challenge.tutorId).execute();
  if (passkeys.length === 0) throw invalidPasskeyError();
  return storeChallenge(
    context,
    challengeScope(token),
    createAuthenticationOptions(getRelyingParty(context), passkeys),
  );
}

export async function verifyMfaPasskey(
  context: Context,
  token: string,
  response: PasskeyResponse,
  requestContext: RequestContext,
): Promise<{ user: User; login: LoginCookies }> {
  const tutorId = await consumeAttempt(context, token);
  const verified = await verifyPasskeyResponse(context, challengeScope(token), response);
  // Another tutor's passkey must not complete this tutor's login.
  if (verified.passkey.tutorId !== tutorId) throw invalidPasskeyError();
  return completeMfaLogin(context, token, tutorId, requestContext, 'passkey', (tx) =>
    recordPasskeyUse(context, tx, verified),
  );
}

/** Attempts are limited per challenge and per account. */
async function consumeAttempt(context: Context, token: string): Promise<string> {
  const { db, clock, limiter } = context;
  const challenge = await consumeMfaAttempt(db.global, sha256(token), clock.now());
  if (!challenge) throw challengeExpiredError();
  await limiter.consume(mfaByAccount, challenge.tutorId);
  return challenge.tutorId;
}

/** Verifies the factor, consumes the challenge and creates the login in one transaction. */
async function completeMfaLogin(
  context: Context,
  token: string,
  tutorId: string,
  requestContext: RequestContext,
  method: LoginMethod,
  verifyFactor: (tx: Tx) => Promise<void>,
): Promise<{ user: User; login: LoginCookies }> {
  const { db, clock, limiter } = context;
  const login = await db
    .tutorTransactionUnlocked(tutorId, async (tx) => {
      await lockDirectoryEntry(tx, tutorId);
      await verifyFactor(tx);
      const consumed = await consumeMfaChallenge(tx, sha256(token), clock.now());
      if (!consumed) throw challengeExpiredError();
      if (consumed.googleSubject) await linkIdentity(context, tx, tutorId, consumed.googleSubject);
      return createLogin(context, tx, tutorId, requestContext, method);
    })
    .catch((error: unknown) => {
      // The Google account was linked to another tutor in the meantime.
      throw violatedConstraint(error) === 'identities_pkey' ? challengeExpiredError() : error;
    });
  await limiter.release(mfaByAccount, tutorId);
  return { user: await readUser(context, tutorId), login };
}
