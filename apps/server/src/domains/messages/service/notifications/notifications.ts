import type { Notification, NotificationKind } from '@lessonbook/contract/notifications';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { afterCommit, type Tx } from '../../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../../platform/db/tutor-scoped-ids.ts';
import {
  getNotificationSettings,
  getTutorContact,
} from '../../../accounts/service/profile/read-tutor.ts';
import { NOTIFICATION_EMAIL_JOB } from '../../job-types.ts';
import {
  insertNotification,
  markRead,
  type NotificationRecord,
  notificationsByTutor,
  openNotifications,
  resolveNotifications,
  unreadCount,
} from '../../queries/notifications.ts';

export interface NotificationInput {
  kind: NotificationKind;
  /** At most one notification is inserted for each key. */
  dedupeKey: string;
  text: string;
  path: string | null;
  /** Whether the notification stays open until it is marked as done or the matter that it concerns is resolved. */
  requiresAction: boolean;
  /** The id of the family, message, session, payment or request that the notification concerns. */
  targetId?: number;
}

/** Kinds controlled by the `paymentNotifications` setting. Disputes and failed refunds are not, because the tutor has to act. */
const PAYMENT_KINDS = new Set<NotificationKind>([
  'payment_received',
  'transfer_claimed',
  'payment_failed',
]);

/**
 * Emailed even if the tutor has turned email notifications off, because these notifications are for tutors who have stopped
 * using Lessonbook.
 */
export const ALWAYS_EMAILED: NotificationKind = 'reminders_paused';

/** Adds a notification in the caller's transaction and enqueues an email if the tutor has turned email notifications on. */
export async function notify(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: NotificationInput,
): Promise<void> {
  const { emailNotifications, paymentNotifications } = await getNotificationSettings(tx, tutorId);
  if (PAYMENT_KINDS.has(input.kind) && !paymentNotifications) return;
  const [id] = (await nextIdsForKind(tx, tutorId, 'notification')) as [number];
  const now = context.clock.now();
  const notification = { ...input, targetId: input.targetId ?? null, id, now };
  if (!(await insertNotification(tx, tutorId, notification))) return;
  publishAfterCommit(context, tx, tutorId);
  const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
  const isEmailed = emailNotifications || input.kind === ALWAYS_EMAILED;
  if (!isEmailed || !emailVerified || isDemo) return;
  await context.queue.enqueue(tx, NOTIFICATION_EMAIL_JOB, { tutorId, notificationId: id });
}

/** Maximum number of open streams per tutor; any further browser windows poll. */
const MAX_STREAMS = 8;

export function streamNotifications(
  context: Context,
  tutorId: string,
  send: (revision: string) => void,
): () => void {
  if (context.realtime.subscriberCount(tutorId) >= MAX_STREAMS) {
    throw new AppError('too_many_requests', 'Lessonbook is open in too many tabs.');
  }
  return context.realtime.subscribe(tutorId, (revision) => send(String(revision ?? '')));
}

/** Needed because notifications can change without a new revision. */
const publishAfterCommit = ({ realtime }: Context, tx: Tx, tutorId: string): void =>
  afterCommit(tx, () => realtime.publish(tutorId, null));

export async function listNotifications(
  context: Context,
  tutorId: string,
  page: { limit: number; offset: number },
): Promise<{ unread: number; open: Notification[]; notifications: Notification[] }> {
  const now = context.clock.now();
  const [open, rows, [count]] = await context.db.tutorRead(tutorId, (tx) => [
    openNotifications(tx, tutorId, now),
    notificationsByTutor(tx, tutorId, page),
    unreadCount(tx, tutorId),
  ]);
  const openIds = new Set(open.map(({ id }) => id));
  const toNotification = ({ createdAt, readAt, ...row }: NotificationRecord): Notification => ({
    ...row,
    kind: row.kind as NotificationKind,
    requiresAction: openIds.has(row.id),
    at: createdAt.toISOString(),
    read: readAt !== null,
  });
  return {
    unread: count?.unread ?? 0,
    open: open.map(toNotification),
    notifications: rows.map(toNotification),
  };
}

/** Marks notifications as done, because the server cannot always know when a matter is resolved. Idempotent. */
export async function markAsDone(
  context: Context,
  tutorId: string,
  ids: readonly number[],
): Promise<{ unread: number }> {
  return context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if (await resolveNotifications(tx, tutorId, ids, context.clock.now())) {
      publishAfterCommit(context, tx, tutorId);
    }
    return { unread: (await unreadCount(tx, tutorId).executeTakeFirst())?.unread ?? 0 };
  });
}

export async function readUnreadCount(
  context: Context,
  tutorId: string,
): Promise<{ unread: number }> {
  const [[count]] = await context.db.tutorRead(tutorId, (tx) => [unreadCount(tx, tutorId)]);
  return { unread: count?.unread ?? 0 };
}

/** Does not increment the revision, because nothing else depends on the read state. Other windows refresh their badge. */
export async function markAsRead(
  context: Context,
  tutorId: string,
  ids: readonly number[] | null,
): Promise<{ unread: number }> {
  return context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    if (await markRead(tx, tutorId, ids, context.clock.now()))
      publishAfterCommit(context, tx, tutorId);
    return { unread: (await unreadCount(tx, tutorId).executeTakeFirst())?.unread ?? 0 };
  });
}
