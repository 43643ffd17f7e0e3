import * as z from 'zod/mini';
import { defineJob } from '../../context.ts';
import { NOTIFICATION_EMAIL_JOB, SEND_DOCUMENT_JOB, SEND_MESSAGE_JOB } from './job-types.ts';
import { sendDailyNotifications } from './service/notifications/daily-notifications.ts';
import { sendNotificationEmail } from './service/notifications/notification-email.ts';
import {
  abandonMessage,
  listPendingDocuments,
  listPendingMessages,
} from './service/outbound/fail-message.ts';
import { sendDueNoteEmails } from './service/outbound/send-lesson-note-emails.ts';
import { sendMessage } from './service/outbound/send-message.ts';
import { sendDueReminders } from './service/reminders/send-due-reminders.ts';

const send = defineJob({
  ...SEND_MESSAGE_JOB,
  retryFor: { hours: 24 },
  concurrency: 20,
  run: (context, payload, previousAttempts) => sendMessage(context, payload, previousAttempts),
  onAbandoned: abandonMessage,
  listPending: listPendingMessages,
});

const sendDocument = defineJob({
  ...SEND_DOCUMENT_JOB,
  retryFor: { hours: 24 },
  concurrency: 4,
  run: (context, payload, previousAttempts) => sendMessage(context, payload, previousAttempts),
  onAbandoned: abandonMessage,
  listPending: listPendingDocuments,
});

const notificationEmail = defineJob({
  ...NOTIFICATION_EMAIL_JOB,
  retryFor: { hours: 24 },
  concurrency: 5,
  noAbandonedHandlerReason: 'The notification is still shown in the app.',
  run: (context, payload) => sendNotificationEmail(context, payload),
});

const sendReminders = defineJob({
  name: 'send-reminders',
  payload: z.object({}),
  retryFor: { minutes: 1 },
  concurrency: 1,
  cron: '* * * * *',
  noAbandonedHandlerReason: 'The job runs again in a minute.',
  run: (context) => sendDueReminders(context),
});

const dailyNotifications = defineJob({
  name: 'daily-digest',
  payload: z.object({}),
  retryFor: { minutes: 5 },
  concurrency: 1,
  cron: '*/10 * * * *',
  noAbandonedHandlerReason: 'The job runs again in ten minutes.',
  run: (context) => sendDailyNotifications(context),
});

const noteEmails = defineJob({
  name: 'send-note-emails',
  payload: z.object({}),
  retryFor: { minutes: 1 },
  concurrency: 1,
  cron: '* * * * *',
  noAbandonedHandlerReason: 'The job runs again in a minute.',
  run: (context) => sendDueNoteEmails(context),
});

export const messageJobs = [
  send,
  sendDocument,
  notificationEmail,
  sendReminders,
  dailyNotifications,
  noteEmails,
];
