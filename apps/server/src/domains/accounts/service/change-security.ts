import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Login } from '../../../platform/http.ts';
import { deleteOtherLogins, isConfirmedSince } from '../queries/logins.ts';
import { deleteSecondStepsOf } from '../queries/second-steps.ts';
import { type LockedEntry, lockEntry } from '../queries/tutors.ts';
import { confirmedSince } from '../rules/lifetimes.ts';
import { changeByTutor } from './limits.ts';

/**
 * The one door to changes of how a tutor comes in: never for the demo, whose password everyone knows, and only shortly
 * after the password or a factor was given. Whoever logs in at this moment waits and then meets the changed account.
 */
export async function changeSecurity<T>(
  context: Context,
  login: Login,
  work: (tx: Tx, entry: LockedEntry) => Promise<T>,
): Promise<T> {
  const { db, limiter } = context;
  await limiter.take(changeByTutor, login.tutorId);
  return db.withTutor(login.tutorId, async (tx) => {
    const entry = await lockEntry(tx, login.tutorId);
    refuseForDemo(entry);
    await refuseUnconfirmed(context, tx, login);
    return work(tx, entry);
  });
}

export function refuseForDemo({ isDemo }: { isDemo: boolean }): void {
  if (isDemo)
    throw new AppError('forbidden', 'Nothing about the login of the demo account can be changed.');
}

export async function refuseUnconfirmed(context: Context, tx: Tx, login: Login): Promise<void> {
  const since = confirmedSince(context.clock.now());
  if (await isConfirmedSince(tx, login.tokenHash, since)) return;
  throw new AppError('confirmation_needed', 'Please confirm that it is you.');
}

/** Whoever else is inside is outside now, and whoever was about to come in begins anew. */
export async function endOthers(tx: Tx, login: Login): Promise<number> {
  await deleteSecondStepsOf(tx, login.tutorId);
  return deleteOtherLogins(tx, login.tutorId, login.tokenHash);
}
