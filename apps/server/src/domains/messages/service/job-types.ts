import * as z from 'zod/mini';

/** Name and payload of the job that sends one message; what it does stands in jobs.ts. */
export const SEND_MESSAGE_JOB = {
  name: 'send-message',
  payload: z.object({ tutorId: z.uuid(), messageId: z.number() }),
};

/** After this many tries of a message that the receiver would not take for now, the tutor is told. */
export const MAX_ATTEMPTS = 8;

/** Likewise of the job that mails a notice to the tutor. */
export const NOTIFICATION_EMAIL_JOB = {
  name: 'notification-mail',
  payload: z.object({ tutorId: z.uuid(), notificationId: z.number() }),
};
