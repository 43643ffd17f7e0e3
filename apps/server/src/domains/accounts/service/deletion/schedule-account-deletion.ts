import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import { notificationSettingsChanged } from '../../events.ts';
import {
  deleteTutor,
  ownershipProofOf,
  setDeletionScheduledAt,
} from '../../queries/account-deletion.ts';
import { popFailedLogins } from '../../queries/failed-logins.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';

const ownershipProofByTutor: RateLimit = { name: 'proof-tutor', burst: 10, perSeconds: 3600 };

/** If the account has no password, deletion is confirmed with the username instead. */
export async function hasPassword(tx: Tx, tutorId: string): Promise<boolean> {
  const entry = await ownershipProofOf(tx, tutorId).executeTakeFirst();
  return typeof entry?.passwordHash === 'string';
}

/** Requires the password, or the username if there is none, so that access to an open browser is not enough. */
export async function assertOwner(context: Context, tutorId: string, proof: string): Promise<void> {
  const { db, limiter } = context;
  await limiter.consume(ownershipProofByTutor, tutorId);
  const entry = await ownershipProofOf(db.global, tutorId).executeTakeFirst();
  const isCorrect =
    typeof entry?.passwordHash !== 'string'
      ? entry?.usernameKey === normalizeLogin(proof)
      : await checkPassword(entry.passwordHash, proof);
  if (!isCorrect) {
    const message =
      typeof entry?.passwordHash !== 'string' ? 'That is not your username' : 'Wrong password';
    throw new AppError('invalid', message, { fields: { proof: message } });
  }
  await limiter.release(ownershipProofByTutor, tutorId);
}

export const scheduleDeletion = (tx: Tx, tutorId: string, at: Date): Promise<void> =>
  setDeletionScheduledAt(tx, tutorId, at);

/** Publishes an event so that paused notifications are scheduled again. */
export async function cancelDeletion(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await setDeletionScheduledAt(tx, tutorId, null);
  await context.events.publish(tx, notificationSettingsChanged, { tutorId });
}

export async function deleteTutorAccount(tx: Tx, tutorId: string): Promise<void> {
  await popFailedLogins(tx, tutorId);
  await deleteTutor(tx, tutorId);
}
