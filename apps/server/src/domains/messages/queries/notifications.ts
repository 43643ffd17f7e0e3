import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';
import { limitDedupeKey } from './dedupe-key.ts';

export interface NewNotification {
  id: number;
  dedupeKey: string;
  kind: string;
  text: string;
  path: string | null;
  requiresAction: boolean;
  now: Date;
}

/** Returns false if a notification with the same dedupe key already exists. */
export async function insertNotification(
  tx: Tx,
  tutorId: string,
  notification: NewNotification,
): Promise<boolean> {
  const { id, dedupeKey, kind, text, path, requiresAction, now } = notification;
  const row = await tx
    .insertInto('notifications')
    .values({
      tutor_id: tutorId,
      id,
      dedupe_key: limitDedupeKey(dedupeKey),
      kind,
      text,
      path,
      requires_action: requiresAction,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export const notificationsByTutor = (
  tx: Tx,
  tutorId: string,
  page: { limit: number; offset: number },
) =>
  tx
    .selectFrom('notifications')
    .where('tutor_id', '=', tutorId)
    .select([
      'id',
      'kind',
      'text',
      'path',
      'requires_action as requiresAction',
      'created_at as createdAt',
      'read_at as readAt',
    ])
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(page.offset);

export const unreadCount = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('notifications')
    .where('tutor_id', '=', tutorId)
    .where('read_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('unread'));

/** Returns whether any of them was unread. */
export async function markRead(
  tx: Tx,
  tutorId: string,
  ids: readonly number[] | null,
  now: Date,
): Promise<boolean> {
  const updated = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('tutor_id', '=', tutorId)
    .where('read_at', 'is', null)
    .$if(ids !== null, (query) => query.where('id', '=', sql<number>`any(${ids ?? []}::int[])`))
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export async function findNotificationToEmail(tx: Tx, tutorId: string, id: number) {
  return tx
    .selectFrom('notifications')
    .innerJoin('tutors', 'tutors.tutor_id', 'notifications.tutor_id')
    .where('notifications.tutor_id', '=', tutorId)
    .where('notifications.id', '=', id)
    .where('notifications.read_at', 'is', null)
    .where('notifications.mailed_at', 'is', null)
    .select(['notifications.text', 'notifications.path', 'tutors.public_id as tutorPublicId'])
    .executeTakeFirst();
}

export async function markEmailed(tx: Tx, tutorId: string, id: number, now: Date): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ mailed_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
