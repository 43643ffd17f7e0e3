import type { LoginInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { skipWhileMoving } from '../../../../platform/db/tutor-move-write-guards.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { deleteLogin, findLoginByToken, updateLoginLastSeen } from '../../queries/logins.ts';
import { findAccount, lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
import { isLastSeenStale, loginExpiry, recentAuthCutoff } from '../../rules/expirations.ts';
import { isEmail, normalizeLogin } from '../../rules/normalize-login.ts';
import { completeLogin, type LoginResult, toLoginResult } from './complete-login.ts';
import { verifyLoginPassword } from './verify-login-password.ts';

const invalidCredentialsError = () =>
  new AppError('unauthenticated', 'Invalid username or password');

/** Takes the same steps for known and unknown usernames, so that the response time reveals nothing. */
export async function logIn(
  context: Context,
  input: LoginInput,
  requestContext: RequestContext,
): Promise<LoginResult> {
  const { db } = context;
  const key = normalizeLogin(input.username);
  const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
  const isCorrect = await verifyLoginPassword(context, {
    account,
    key,
    password: input.password,
    requestContext,
  });
  if (!account || !isCorrect) throw invalidCredentialsError();
  const { tutorId } = account;
  const outcome = await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    const { passwordHash } = await lockDirectoryEntry(tx, tutorId);
    // The password was changed while the attempt was being verified.
    if (passwordHash !== account.passwordHash) throw invalidCredentialsError();
    return completeLogin(context, tx, tutorId, requestContext, 'password');
  });
  return toLoginResult(context, tutorId, outcome);
}

/** Resolves the login cookie; runs on every authenticated request. */
export async function findLogin(context: Context, token: string): Promise<Login | null> {
  const { db, clock } = context;
  const tokenHash = sha256(token);
  const now = clock.now();
  const login = await findLoginByToken(db.global, tokenHash, now);
  if (!login) return null;
  const found: Login = {
    tutorId: login.tutorId,
    tokenHash,
    isRecentlyAuthenticated: login.reauthenticatedAt > recentAuthCutoff(now),
  };
  if (!isLastSeenStale(login.lastSeenAt, now)) return found;
  const extendedUntil = loginExpiry(login.createdAt, now);
  const isExtended = await skipWhileMoving(
    updateLoginLastSeen(db.global, found, now, extendedUntil),
  );
  return isExtended ? { ...found, extendedUntil } : found;
}

export async function logOut(context: Context, login: Login): Promise<void> {
  await deleteLogin(context.db.global, login.tokenHash);
}
