import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { checkPassword } from '../../../platform/password.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { switchesChanged } from '../events.ts';
import { takeFailedLogins } from '../queries/failed-logins.ts';
import { deleteTutor, proofOf, setLeaving } from '../queries/leaving.ts';
import { nameKey } from '../rules/names.ts';

const proofByTutor: Limit = { name: 'proof-tutor', burst: 10, perSeconds: 3600 };

/** Whether there is a password; an account without one is known by its username. */
export async function hasPassword(context: Context, tutorId: string): Promise<boolean> {
  const entry = await proofOf(context.db.global, tutorId).executeTakeFirst();
  return typeof entry?.passwordHash === 'string';
}

/** Whoever only found an open browser gets no further. */
export async function mustBeOwner(context: Context, tutorId: string, proof: string): Promise<void> {
  const { db, limiter } = context;
  await limiter.take(proofByTutor, tutorId);
  const entry = await proofOf(db.global, tutorId).executeTakeFirst();
  const right =
    typeof entry?.passwordHash !== 'string'
      ? entry?.usernameKey === nameKey(proof)
      : await checkPassword(entry.passwordHash, proof);
  if (!right) {
    const message =
      typeof entry?.passwordHash !== 'string' ? 'That is not your username' : 'Wrong password';
    throw new AppError('invalid', message, { fields: { proof: message } });
  }
  await limiter.giveBack(proofByTutor, tutorId);
}

export const leave = (tx: Tx, tutorId: string, at: Date): Promise<void> =>
  setLeaving(tx, tutorId, at);

/** Whatever stood still is looked at again. */
export async function stay(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await setLeaving(tx, tutorId, null);
  await context.events.publish(tx, switchesChanged, { tutorId });
}

/** The account and all that hangs on it. */
export async function removeTutor(tx: Tx, tutorId: string): Promise<void> {
  await takeFailedLogins(tx, tutorId);
  await deleteTutor(tx, tutorId);
}
