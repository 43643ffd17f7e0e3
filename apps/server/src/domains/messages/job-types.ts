import * as z from 'zod/mini';

export const SEND_MESSAGE_JOB = {
  name: 'send-message',
  payload: z.object({ tutorId: z.uuid(), messageId: z.number() }),
};

/** After this many temporary failures, about 20 minutes, a WhatsApp message becomes a draft that the tutor can send. */
export const WHATSAPP_MAX_ATTEMPTS = 10;

export const NOTIFICATION_EMAIL_JOB = {
  name: 'notification-mail',
  payload: z.object({ tutorId: z.uuid(), notificationId: z.number() }),
};

/** Values of `kind` in tenant_schedule. */
export const REMINDERS_WORK = 'reminders';
export const DAILY_NOTIFICATIONS_WORK = 'daily-digest';
