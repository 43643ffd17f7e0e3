import type { Notification, NotificationKind } from '@lessonbook/contract/notifications';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import type { Tx } from '../../../platform/db.ts';
import { tellNews } from '../../../platform/news.ts';
import { contactIn, switchesOf } from '../../accounts/service/profile.ts';
import {
  insertNotification,
  markRead,
  notificationsOf,
  unreadCount,
} from '../queries/notifications.ts';
import { MAIL_NEWS } from './send-job.ts';

export interface News {
  kind: NotificationKind;
  /** The same occasion is told once, however often it is noticed. */
  occasion: string;
  text: string;
  path: string | null;
  needsYou: boolean;
}

/** News of money, which a tutor may not want to hear. */
const MONEY = new Set<NotificationKind>([
  'payment_received',
  'transfer_claimed',
  'payment_disputed',
  'refund_failed',
]);

/** Puts news into the tutor's inbox, and into the mail where that is wanted; real with the transaction it belongs to. */
export async function notify(context: Context, tx: Tx, tutorId: string, news: News): Promise<void> {
  const { emailNotifications, paymentNotifications } = await switchesOf(tx, tutorId);
  if (MONEY.has(news.kind) && !paymentNotifications) return;
  const [id] = (await takeIds(tx, tutorId, 'notification')) as [number];
  const now = context.clock.now();
  if (!(await insertNotification(tx, tutorId, { ...news, id, now }))) return;
  await tellNews(tx, tutorId);
  const { emailVerified, isDemo } = await contactIn(tx, tutorId);
  if (!emailNotifications || !emailVerified || isDemo) return;
  await context.queue.enqueue(tx, MAIL_NEWS, { tutorId, notificationId: id });
}

/** Browsers of one tutor that are told at once; the others ask from time to time. */
const STREAMS = 8;

export function listenForNews(context: Context, tutorId: string, send: () => void): () => void {
  if (context.news.listening(tutorId) >= STREAMS) {
    throw new AppError('too_many_requests', 'Too many windows are open.');
  }
  return context.news.hear(tutorId, send);
}

export async function readInbox(
  context: Context,
  tutorId: string,
  page: { limit: number; offset: number },
): Promise<{ unread: number; notifications: Notification[] }> {
  const [rows, [count]] = await context.db.readTutor(tutorId, (tx) => [
    notificationsOf(tx, tutorId, page),
    unreadCount(tx, tutorId),
  ]);
  return {
    unread: count?.unread ?? 0,
    notifications: rows.map(({ createdAt, readAt, ...row }) => ({
      ...row,
      kind: row.kind as NotificationKind,
      at: createdAt.toISOString(),
      read: readAt !== null,
    })),
  };
}

export async function readUnread(context: Context, tutorId: string): Promise<{ unread: number }> {
  const [[count]] = await context.db.readTutor(tutorId, (tx) => [unreadCount(tx, tutorId)]);
  return { unread: count?.unread ?? 0 };
}

export async function markAsRead(
  context: Context,
  tutorId: string,
  ids: readonly number[] | null,
): Promise<{ unread: number }> {
  return context.db.withTutor(tutorId, async (tx) => {
    await markRead(tx, tutorId, ids, context.clock.now());
    return { unread: (await unreadCount(tx, tutorId).executeTakeFirst())?.unread ?? 0 };
  });
}
