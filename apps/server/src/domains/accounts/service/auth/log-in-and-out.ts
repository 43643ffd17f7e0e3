import type { LoginInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { deleteLogin } from '../../queries/logins.ts';
import { findAccount, lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
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

export async function logOut(context: Context, login: Login): Promise<void> {
  await deleteLogin(context.db.global, login.tokenHash);
}
