import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { notificationSettingsChanged } from '../../events.ts';
import { deleteTutor, setDeletionScheduledAt } from '../../queries/account-deletion.ts';
import { popFailedLogins } from '../../queries/failed-logins.ts';

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
