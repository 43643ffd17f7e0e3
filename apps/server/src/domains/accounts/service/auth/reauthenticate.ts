import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { AppError, loginRequired } from '../../../../platform/app-error.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { createAuthenticationOptions } from '../../../../platform/crypto/webauthn.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { findTutorByGoogleSubject } from '../../queries/identities.ts';
import { markReauthenticated } from '../../queries/logins.ts';
import { passkeysOf } from '../../queries/passkeys.ts';
import {
  consumePendingIdentity,
  findPendingIdentity,
} from '../../queries/pending-google-sign-ins.ts';
import { passwordHashOf } from '../../queries/tutor-accounts.ts';
import { googleSignInExpiredError } from '../google/link-google.ts';
import { consumeMfaCode } from '../mfa/mfa-codes.ts';
import { invalidCodeError } from '../mfa/mfa-login.ts';
import {
  getRelyingParty,
  invalidPasskeyError,
  recordPasskeyUse,
  storeChallenge,
  verifyPasskeyResponse,
} from '../mfa/passkey-verification.ts';
import { reauthByTutor } from '../rate-limits.ts';
import { readSecurityOverview } from './security-overview.ts';

/** The login may have been revoked since the request began, or the tutor may have moved to another installation. */
async function saveReauthentication(tx: Tx, login: Login, now: Date): Promise<void> {
  if (await markReauthenticated(tx, login.tokenHash, now)) return;
  throw loginRequired();
}

export async function reauthenticateWithPassword(
  context: Context,
  login: Login,
  password: string,
): Promise<void> {
  const { db, clock } = context;
  await withAttemptLimit(context, login, async () => {
    const entry = await passwordHashOf(db.global, login.tutorId).executeTakeFirst();
    if (!(await checkPassword(entry?.passwordHash, password))) {
      const message = "That isn't your password";
      throw new AppError('invalid', message, { fields: { password: message } });
    }
    await saveReauthentication(db.global, login, clock.now());
  });
}

export async function reauthenticateWithCode(
  context: Context,
  login: Login,
  code: string,
): Promise<void> {
  const { db, clock } = context;
  // No tutor lock is needed, because the tutor's data does not change.
  await withAttemptLimit(context, login, () =>
    db.tutorTransactionUnlocked(login.tutorId, async (tx) => {
      if (!(await consumeMfaCode(context, tx, login.tutorId, code))) throw invalidCodeError();
      await saveReauthentication(tx, login, clock.now());
    }),
  );
}

const challengeScope = (login: Login) => ({
  purpose: 'reauthenticate' as const,
  cookieHash: login.tokenHash,
});

export async function createReauthPasskeyOptions(context: Context, login: Login) {
  const passkeys = await passkeysOf(context.db.global, login.tutorId).execute();
  if (passkeys.length === 0) throw new AppError('conflict', "You haven't added a passkey yet.");
  return storeChallenge(
    context,
    challengeScope(login),
    createAuthenticationOptions(getRelyingParty(context), passkeys),
  );
}

export async function reauthenticateWithPasskey(
  context: Context,
  login: Login,
  response: PasskeyResponse,
): Promise<void> {
  const { db, clock } = context;
  await withAttemptLimit(context, login, async () => {
    const verified = await verifyPasskeyResponse(context, challengeScope(login), response);
    if (verified.passkey.tutorId !== login.tutorId) throw invalidPasskeyError();
    await db.globalTransaction(async (tx) => {
      await recordPasskeyUse(context, tx, verified);
      await saveReauthentication(tx, login, clock.now());
    });
  });
}

/**
 * The tutor has just signed in to Google in this browser, in another tab. Only for an account without other credentials:
 * a thief who has the browser may also be signed in to Google there.
 */
export async function reauthenticateWithGoogle(
  context: Context,
  login: Login,
  credential: string,
  browserToken: string,
): Promise<void> {
  const { db, clock } = context;
  const { hasPassword, authenticatorOn, passkeys } = await readSecurityOverview(
    context,
    login.tutorId,
  );
  if (hasPassword || authenticatorOn || passkeys.length > 0)
    throw new AppError('forbidden', 'Please use your password, a code or your passkey.');
  await withAttemptLimit(context, login, async () => {
    const hashes = [sha256(credential), sha256(browserToken)] as const;
    const identity = await findPendingIdentity(db.global, 'sign-in', ...hashes, clock.now());
    // Consume the identity even if it belongs to the wrong account, so that the browser does not find it again.
    if (!identity || !(await consumePendingIdentity(db.global, identity.id, 'sign-in')))
      throw googleSignInExpiredError();
    if ((await findTutorByGoogleSubject(db.global, identity.subject)) !== login.tutorId)
      throw new AppError('invalid', "That isn't the Google account you log in with.");
    await saveReauthentication(db.global, login, clock.now());
  });
}

/** Limits failed attempts, so that a password cannot be guessed in an unattended browser. */
async function withAttemptLimit(
  context: Context,
  login: Login,
  work: () => Promise<void>,
): Promise<void> {
  const { limiter } = context;
  await limiter.consume(reauthByTutor, login.tutorId);
  await work();
  await limiter.release(reauthByTutor, login.tutorId);
}
