import * as z from 'zod/mini';

export const SEND_MESSAGE_JOB = {
  name: 'send-message',
  payload: z.object({ tutorId: z.uuid(), messageId: z.number() }),
};

/** After this many temporary failures, a message is marked as failed and the tutor is notified. */
export const MAX_ATTEMPTS = 8;

export const NOTIFICATION_EMAIL_JOB = {
  name: 'notification-mail',
  payload: z.object({ tutorId: z.uuid(), notificationId: z.number() }),
};

/** Values of `kind` in tenant_schedule. */
export const REMINDERS_WORK = 'reminders';
export const DAILY_NOTIFICATIONS_WORK = 'daily-digest';
