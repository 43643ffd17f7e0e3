import type { Context } from '../../../../context.ts';
import { AppError, loginRequired } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { deleteOtherLogins, loginExists } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import { type LockedDirectoryEntry, lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
import { securityChangeByTutor } from '../rate-limits.ts';

/**
 * Runs a change to the login settings. Rejects the demo account, whose password is public. Takes a lock, so concurrent
 * logins wait and then see the updated account. The endpoint itself requires recent authentication.
 */
export async function withSecurityChange<T>(
  context: Context,
  login: Login,
  work: (tx: Tx, entry: LockedDirectoryEntry) => Promise<T>,
): Promise<T> {
  const { db, limiter } = context;
  await limiter.consume(securityChangeByTutor, login.tutorId);
  return db.tutorTransaction(login.tutorId, async (tx) => {
    const entry = await lockDirectoryEntry(tx, login.tutorId);
    rejectDemoAccount(entry);
    // The owner may have revoked this login, or reset the password, while this request was waiting for the lock.
    if (!(await loginExists(tx, login.tokenHash))) throw loginRequired();
    return work(tx, entry);
  });
}

function rejectDemoAccount({ isDemo }: { isDemo: boolean }): void {
  if (isDemo)
    throw new AppError('forbidden', "The demo account's login settings can't be changed.");
}

/** Logs out all other browsers and cancels logins awaiting a second factor. */
export async function invalidateOtherLogins(tx: Tx, login: Login): Promise<number> {
  await deleteMfaChallenges(tx, login.tutorId);
  return deleteOtherLogins(tx, login.tutorId, login.tokenHash);
}
