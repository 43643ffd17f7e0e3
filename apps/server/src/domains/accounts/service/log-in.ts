import type { LoginInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Login, Visitor } from '../../../platform/http.ts';
import { deleteLogin, loginByToken, noteLoginSeen } from '../queries/logins.ts';
import { findAccount, lockEntry } from '../queries/tutors.ts';
import { isSeenLongAgo, loginExpiry } from '../rules/lifetimes.ts';
import { isEmail, nameKey } from '../rules/names.ts';
import { comeIn, type Entrance, welcome } from './come-in.ts';
import { tryPassword } from './try-password.ts';

const refused = () => new AppError('unauthenticated', 'Invalid username or password');

/** Known and unknown names take the same steps: one look-up, one password check, one answer. */
export async function logIn(
  context: Context,
  input: LoginInput,
  visitor: Visitor,
): Promise<Entrance> {
  const { db } = context;
  const key = nameKey(input.username);
  const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
  const right = await tryPassword(context, { account, key, password: input.password, visitor });
  if (!account || !right) throw refused();
  const { tutorId } = account;
  const door = await db.besideTutor(tutorId, async (tx) => {
    const { passwordHash } = await lockEntry(tx, tutorId);
    // Changed while it was being checked: the old one opens nothing any more.
    if (passwordHash !== account.passwordHash) throw refused();
    return comeIn(context, tx, tutorId, visitor, 'password');
  });
  return welcome(context, tutorId, door);
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
