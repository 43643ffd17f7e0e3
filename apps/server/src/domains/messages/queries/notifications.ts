import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { limitDedupeKey } from './limit-dedupe-key-length.ts';

export interface NewNotification {
  id: number;
  dedupeKey: string;
  kind: string;
  text: string;
  path: string | null;
  requiresAction: boolean;
  targetId: number | null;
  now: Date;
}

/** Returns false if a notification with the same dedupe key already exists. */
export async function insertNotification(
  tx: Tx,
  tutorId: string,
  notification: NewNotification,
): Promise<boolean> {
  const { id, dedupeKey, kind, text, path, requiresAction, targetId, now } = notification;
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
      target_id: targetId,
      created_at: now,
    })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

const notificationRows = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('notifications')
    .where('notifications.tutor_id', '=', tutorId)
    .select([
      'notifications.id',
      'notifications.kind',
      'notifications.text',
      'notifications.path',
      'notifications.target_id as targetId',
      'notifications.created_at as createdAt',
      'notifications.read_at as readAt',
    ])
    .orderBy('notifications.id', 'desc');

export type NotificationRecord = RowOf<ReturnType<typeof notificationRows>>;

export const notificationsByTutor = (
  tx: Tx,
  tutorId: string,
  page: { limit: number; offset: number },
) => notificationRows(tx, tutorId).limit(page.limit).offset(page.offset);

const MAX_OPEN = 100;

/** Whether the bank or the tutor has yet to decide about a refund or dispute of the payment. */
const isUndecided = sql`exists (
  select from card_reversals r join payments e on e.tutor_id = r.tutor_id and e.id = r.payment_id
  where r.tutor_id = notifications.tutor_id and e.refunds_id = notifications.target_id
    and r.state in ('disputed', 'undecided'))`;

/**
 * Notifications that still need the tutor's attention: they are not marked as done, and the matter is unresolved.
 * A newer notification about the same matter replaces an older one. Kinds that are not listed stay open until they are
 * marked as done.
 */
export const openNotifications = (tx: Tx, tutorId: string, now: Date) =>
  notificationRows(tx, tutorId)
    .where('notifications.requires_action', '=', sql.lit(true))
    .where('notifications.resolved_at', 'is', null)
    .where(
      sql<boolean>`case notifications.kind
        when 'transfer_claimed' then exists (
          select from families f where f.tutor_id = notifications.tutor_id and f.id = notifications.target_id
            and f.transfer_claimed_at <= notifications.created_at)
        when 'payment_disputed' then ${isUndecided}
        when 'payment_refunded' then ${isUndecided}
        when 'payment_details_missing' then not exists (
          select from business_settings b where b.tutor_id = notifications.tutor_id
            and (b.account_number is not null or b.iban is not null or b.payment_instructions is not null))
          and not exists (
          select from card_accounts a where a.tutor_id = notifications.tutor_id and a.default_method = 'stripe'
            and a.charges_enabled)
        when 'message_failed' then notifications.target_id is null or exists (
          select from messages m where m.tutor_id = notifications.tutor_id and m.id = notifications.target_id
            and m.state in ('failed', 'draft', 'opened'))
        when 'batch_failed' then exists (
          select from batch_items b where b.tutor_id = notifications.tutor_id and b.batch_id = notifications.target_id
            and b.state = 'failed')
        when 'calendar_changed' then exists (
          select from external_changes e where e.tutor_id = notifications.tutor_id and e.session_id = notifications.target_id
            and e.outcome is null)
        when 'calendar_disconnected' then not exists (
          select from calendar_connections c where c.tutor_id = notifications.tutor_id and c.encrypted_token is not null)
        when 'payouts_disabled' then exists (
          select from card_accounts a where a.tutor_id = notifications.tutor_id and not a.payouts_enabled)
        when 'cards_disconnected' then not exists (
          select from card_accounts a where a.tutor_id = notifications.tutor_id and a.account_id is not null)
        when 'sessions_to_complete' then exists (
          select from sessions s where s.tutor_id = notifications.tutor_id and s.status = 'scheduled'
            and s.starts_at < ${now}::timestamptz and s.ends_at <= ${now}::timestamptz)
        when 'overlap_accepted' then exists (
          select from sessions s where s.tutor_id = notifications.tutor_id and s.id = notifications.target_id
            and s.status = 'scheduled' and s.starts_at > ${now}::timestamptz)
        when 'lesson_cancelled' then exists (
          select from portal_cancelled_seats c
            join sessions s on s.tutor_id = c.tutor_id and s.id = c.session_id
            join session_students x on x.tutor_id = c.tutor_id and x.session_id = c.session_id and x.student_id = c.student_id
          where c.tutor_id = notifications.tutor_id and c.cancellation_id = notifications.target_id
            and x.is_billable and (s.status = 'cancelled' or x.state = 'cancelled'))
        when 'move_requested' then exists (
          select from move_requests r join sessions s on s.tutor_id = r.tutor_id and s.id = r.session_id
          where r.tutor_id = notifications.tutor_id and r.id = notifications.target_id and r.status = 'open'
            and s.starts_at > ${now}::timestamptz)
        when 'charge_queried' then exists (
          select from charge_queries q
          where q.tutor_id = notifications.tutor_id and q.id = notifications.target_id and q.status = 'open')
        when 'group_below_minimum' then exists (
          select from sessions s join lessons l on l.tutor_id = s.tutor_id and l.id = s.lesson_id
          where s.tutor_id = notifications.tutor_id and s.id = notifications.target_id
            and s.status = 'scheduled' and s.starts_at > ${now}::timestamptz and l.min_students > (
            select count(*) from session_students x where x.tutor_id = s.tutor_id and x.session_id = s.id
              and x.state = 'expected'))
        else true end`,
    )
    .where(
      sql<boolean>`not exists (
        select from notifications newer where newer.tutor_id = notifications.tutor_id and newer.kind = notifications.kind
          and newer.id > notifications.id and newer.requires_action and newer.resolved_at is null
          and (newer.target_id = notifications.target_id
            or newer.kind in ('sessions_to_complete', 'payment_details_missing')))`,
    )
    .limit(MAX_OPEN);

/** Marks notifications as done and as read. Returns whether any of them was open. */
export async function resolveNotifications(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
  now: Date,
): Promise<boolean> {
  const updated = await tx
    .updateTable('notifications')
    .set({ resolved_at: now, read_at: sql<Date>`coalesce(read_at, ${now}::timestamptz)` })
    .where('tutor_id', '=', tutorId)
    .where('requires_action', '=', sql.lit(true))
    .where('resolved_at', 'is', null)
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

export const unreadCount = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('notifications')
    .where('tutor_id', '=', tutorId)
    .where('read_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('unread'));

/** Returns whether any of the notifications was unread. */
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
    .select([
      'notifications.kind',
      'notifications.text',
      'notifications.path',
      'tutors.public_id as tutorPublicId',
    ])
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
