import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import {
  MAX_ATTEMPTS,
  NOTIFICATION_EMAIL_JOB,
  SEND_DOCUMENT_JOB,
  SEND_MESSAGE_JOB,
} from './job-types.ts';
import { sendDailyNotifications } from './service/notifications/daily-notifications.ts';
import { sendNotificationEmail } from './service/notifications/notification-email.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

const send = defineJob({
  ...SEND_MESSAGE_JOB,
  retries: MAX_ATTEMPTS,
  retryDelaySeconds: 5,
  concurrency: 20,
  run: (context, payload, previousAttempts) => sendMessage(context, payload, previousAttempts),
});

const sendDocument = defineJob({ ...send, ...SEND_DOCUMENT_JOB, concurrency: 4 });

const notificationEmail = defineJob({
  ...NOTIFICATION_EMAIL_JOB,
  retries: MAX_ATTEMPTS,
  retryDelaySeconds: 5,
  concurrency: 5,
  run: (context, payload) => sendNotificationEmail(context, payload),
});

const sendReminders = defineJob({
  name: 'send-reminders',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 20,
  concurrency: 1,
  cron: '* * * * *',
  run: (context) => sendDueReminders(context),
});

const dailyNotifications = defineJob({
  name: 'daily-digest',
  payload: z.object({}),
  retries: 2,
  retryDelaySeconds: 60,
  concurrency: 1,
  cron: '*/10 * * * *',
  run: (context) => sendDailyNotifications(context),
});

export const messageJobs = [
  send,
  sendDocument,
  notificationEmail,
  sendReminders,
  dailyNotifications,
];
