import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { id, paginationFields } from './schema-fields.ts';

/* Notifications for the tutor. */

export const NOTIFICATION_KINDS = [
  'payment_received',
  'payment_disputed',
  'payment_refunded',
  'payment_failed',
  'payment_details_missing',
  'refund_failed',
  'transfer_claimed',
  'message_failed',
  'batch_failed',
  'reminders_stopped',
  'reminders_paused',
  'email_failed',
  'calendar_disconnected',
  'calendar_changed',
  'payouts_disabled',
  'cards_disconnected',
  'card_update_failed',
  'sessions_to_complete',
  'overlap_accepted',
  'group_below_minimum',
  'lesson_cancelled',
  'move_requested',
  'charge_queried',
  'contact_changed',
  'instalment_missed',
  'trial_ending',
  'export_failed',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const Notification = z.object({
  id: z.number(),
  kind: z.enum(NOTIFICATION_KINDS),
  text: z.string(),
  /** The page that the notification links to. */
  path: z.nullable(z.string()),
  /** The id of the family, message, session, payment or request that it is about. */
  targetId: z.nullable(z.number()),
  /** Whether the tutor still has to act on it: it is neither resolved nor obsolete. */
  requiresAction: z.boolean(),
  at: z.string(),
  read: z.boolean(),
});
export type Notification = z.infer<typeof Notification>;

export const notifications = defineEndpoints({
  listNotifications: {
    method: 'GET',
    path: '/api/notifications',
    access: 'login',
    summary:
      'Notifications, newest first; also those that require action, and the number of unread ones',
    query: z.object(paginationFields),
    reply: z.object({
      unread: z.number(),
      /** All notifications that still require action, whatever page they are on. */
      open: z.array(Notification),
      notifications: z.array(Notification),
    }),
  },
  unreadCount: {
    method: 'GET',
    path: '/api/notifications/unread',
    access: 'login',
    summary: 'The number of unread notifications',
    reply: z.object({ unread: z.number() }),
  },
  notificationStream: {
    method: 'GET',
    path: '/api/notifications/stream',
    access: 'login',
    summary:
      'Server-sent events: the new revision whenever data changes, or an empty event to refetch notifications',
    file: 'text/event-stream',
    reply: z.string(),
  },
  markNotificationsRead: {
    method: 'POST',
    path: '/api/notifications/read',
    access: 'login',
    summary: 'Mark some or all notifications as read',
    body: z.object({
      ids: z.optional(z.array(id('Please choose a notification')).check(z.maxLength(500))),
    }),
    reply: z.object({ unread: z.number() }),
  },
  markNotificationsDone: {
    method: 'POST',
    path: '/api/notifications/done',
    access: 'login',
    summary: 'Mark notifications that require action as done',
    body: z.object({ ids: z.array(id('Please choose a notification')).check(z.maxLength(500)) }),
    reply: z.object({ unread: z.number() }),
  },
});
