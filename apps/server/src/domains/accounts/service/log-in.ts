import type { LoginInput, User } from '@lessonbook/contract/accounts';
import type { Context } from '../../../context.ts';
import { putOnAgenda } from '../../../platform/agenda.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Login, Visitor } from '../../../platform/http.ts';
import { checkPassword } from '../../../platform/password.ts';
import { deleteLogin, insertLogin, loginByToken, noteLoginSeen } from '../queries/logins.ts';
import { findAccount } from '../queries/tutors.ts';
import { isSeenLongAgo, loginExpiry } from '../rules/lifetimes.ts';
import { isEmail, nameKey } from '../rules/names.ts';
import { loginByAccount, loginByNetwork } from './limits.ts';
import { readUser } from './profile.ts';
import { TIDY } from './tidy.ts';

export interface NewLoginToken {
  token: string;
  expiresAt: Date;
}

/** Known and unknown names take the same steps: one look-up, one password check, one answer. */
export async function logIn(
  context: Context,
  input: LoginInput,
  visitor: Visitor,
): Promise<{ user: User; login: NewLoginToken }> {
  const { db, limiter } = context;
  await limiter.take(loginByNetwork, visitor.network);
  const key = nameKey(input.username);
  const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
  // A tutor has one bucket whether the username or the address was typed.
  const bucket = account?.tutorId ?? sha256(key).toString('base64url');
  await limiter.take(loginByAccount, bucket);
  const right = await checkPassword(account?.passwordHash, input.password);
  if (!account || !right) throw new AppError('unauthenticated', 'Invalid username or password');
  await limiter.forgive(loginByAccount, bucket);
  const login = await db.inGlobal((tx) => startLogin(context, tx, account.tutorId, visitor));
  return { user: await readUser(context, account.tutorId), login };
}

/** A new login for this browser, in the caller's transaction. */
export async function startLogin(
  context: Context,
  tx: Tx,
  tutorId: string,
  visitor: Visitor,
): Promise<NewLoginToken> {
  const now = context.clock.now();
  const token = randomToken(32);
  const expiresAt = loginExpiry(now, now);
  await insertLogin(tx, {
    tokenHash: sha256(token),
    tutorId,
    publicId: randomToken(),
    userAgent: visitor.userAgent,
    now,
    expiresAt,
  });
  await putOnAgenda(tx, tutorId, TIDY, expiresAt);
  return { token, expiresAt };
}

/** Who stands behind a cookie; every request of a signed-in browser asks this. */
export async function findLogin(context: Context, token: string): Promise<Login | null> {
  const { db, clock } = context;
  const tokenHash = sha256(token);
  const now = clock.now();
  const login = await loginByToken(db.global, tokenHash, now);
  if (!login) return null;
  if (!isSeenLongAgo(login.lastSeenAt, now)) return { tutorId: login.tutorId, tokenHash };
  const prolongedTo = loginExpiry(login.createdAt, now);
  await noteLoginSeen(db.global, tokenHash, now, prolongedTo);
  return { tutorId: login.tutorId, tokenHash, prolongedTo };
}

export async function logOut(context: Context, login: Login): Promise<void> {
  await deleteLogin(context.db.global, login.tokenHash);
}
