import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/http-server.ts';
import { deleteOtherLogins, wasReauthenticatedSince } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import { type LockedDirectoryEntry, lockDirectoryEntry } from '../../queries/tutors.ts';
import { recentAuthCutoff } from '../../rules/expirations.ts';
import { securityChangeByTutor } from '../rate-limits.ts';

/**
 * Guards every change to login settings: rejects the demo account, whose password is public, and requires recent
 * authentication. Takes a lock, so concurrent logins wait and then see the updated account.
 */
export async function withRecentAuth<T>(
  context: Context,
  login: Login,
  work: (tx: Tx, entry: LockedDirectoryEntry) => Promise<T>,
): Promise<T> {
  const { db, limiter } = context;
  await limiter.consume(securityChangeByTutor, login.tutorId);
  return db.tutorTransaction(login.tutorId, async (tx) => {
    const entry = await lockDirectoryEntry(tx, login.tutorId);
    rejectDemoAccount(entry);
    await requireRecentAuth(context, tx, login);
    return work(tx, entry);
  });
}

export function rejectDemoAccount({ isDemo }: { isDemo: boolean }): void {
  if (isDemo)
    throw new AppError('forbidden', 'Nothing about the login of the demo account can be changed.');
}

export async function requireRecentAuth(context: Context, tx: Tx, login: Login): Promise<void> {
  const since = recentAuthCutoff(context.clock.now());
  if (await wasReauthenticatedSince(tx, login.tokenHash, since)) return;
  throw new AppError('confirmation_needed', 'Please confirm that it is you.');
}

/** Logs out all other browsers and cancels logins awaiting a second factor. */
export async function invalidateOtherLogins(tx: Tx, login: Login): Promise<number> {
  await deleteMfaChallenges(tx, login.tutorId);
  return deleteOtherLogins(tx, login.tutorId, login.tokenHash);
}
