import * as z from 'zod/mini';

export const SEND_MESSAGE_JOB = {
  name: 'send-message',
  payload: z.object({ tutorId: z.uuid(), messageId: z.number() }),
};

/** Emails with a PDF have their own queue, so that other messages do not have to wait for PDFs. */
export const SEND_DOCUMENT_JOB = { name: 'send-document', payload: SEND_MESSAGE_JOB.payload };

/** The job that sends a message. */
export const sendJobFor = (message: { invoiceId: number | null }) =>
  message.invoiceId === null ? SEND_MESSAGE_JOB : SEND_DOCUMENT_JOB;

/** After this many temporary failures (about 20 minutes), a WhatsApp message becomes a draft that the tutor can send. */
export const WHATSAPP_MAX_ATTEMPTS = 10;

export const NOTIFICATION_EMAIL_JOB = {
  name: 'notification-mail',
  payload: z.object({ tutorId: z.uuid(), notificationId: z.number() }),
};

/** Values of `kind` in tenant_schedule. */
export const REMINDERS_WORK = 'reminders';
export const DAILY_NOTIFICATIONS_WORK = 'daily-digest';
export const NOTE_EMAILS_WORK = 'note-emails';
