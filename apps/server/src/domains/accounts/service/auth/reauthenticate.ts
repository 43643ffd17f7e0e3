import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import { createAuthenticationOptions } from '../../../../platform/crypto/webauthn.ts';
import type { Login } from '../../../../platform/http/http-server.ts';
import { markReauthenticated } from '../../queries/logins.ts';
import { passkeysOf } from '../../queries/passkeys.ts';
import { passwordHashOf } from '../../queries/tutors.ts';
import { consumeMfaCode } from '../mfa/mfa-codes.ts';
import { invalidCodeError } from '../mfa/mfa-login.ts';
import {
  getRelyingParty,
  invalidPasskeyError,
  recordPasskeyUse,
  storeChallenge,
  verifyPasskeyResponse,
} from '../mfa/webauthn-challenges.ts';
import { reauthByTutor } from '../rate-limits.ts';

export async function reauthenticateWithPassword(
  context: Context,
  login: Login,
  password: string,
): Promise<void> {
  const { db, clock } = context;
  await withAttemptLimit(context, login, async () => {
    const entry = await passwordHashOf(db.global, login.tutorId).executeTakeFirst();
    if (!(await checkPassword(entry?.passwordHash, password))) {
      const message = 'That is not your password';
      throw new AppError('invalid', message, { fields: { password: message } });
    }
    await markReauthenticated(db.global, login.tokenHash, clock.now());
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
      await markReauthenticated(tx, login.tokenHash, clock.now());
    }),
  );
}

const challengeScope = (login: Login) => ({
  purpose: 'reauthenticate' as const,
  cookieHash: login.tokenHash,
});

export async function createReauthPasskeyOptions(context: Context, login: Login) {
  const passkeys = await passkeysOf(context.db.global, login.tutorId).execute();
  if (passkeys.length === 0) throw new AppError('conflict', 'There is no passkey yet.');
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
      await markReauthenticated(tx, login.tokenHash, clock.now());
    });
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
