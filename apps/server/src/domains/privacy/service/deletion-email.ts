import type { Context } from '../../../context.ts';
import { type EmailContent, renderEmail } from '../../../platform/mail/email-template.ts';
import { readUser } from '../../accounts/service/profile/read-tutor.ts';

/** Sent immediately, so that a tutor who did not request the deletion can cancel it. Not sent if already cancelled. */
export async function sendDeletionScheduledEmail(context: Context, tutorId: string): Promise<void> {
  const { id, email, timeZone, deletesAt } = await readUser(context, tutorId);
  if (!deletesAt) return;
  const at = new Date(deletesAt);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(at);
  await sendEmail(context, email, `leaving.${id}.${at.getTime()}`, {
    subject: 'Your Lessonbook account will be deleted',
    paragraphs: [
      'Hello,',
      `you asked us to delete your account. On ${day} everything in it is removed for good: students, families, lessons, payments and invoices.`,
      'Until then you can log in and keep it, or download a copy of everything. Nothing is sent to families by itself meanwhile.',
    ],
    button: { label: 'Open Lessonbook', url: `${context.config.origin}/settings/your-data` },
    closing: [
      'If it was not you, please log in, keep the account and change your password.',
      'Lessonbook',
    ],
  });
}

/** Sent before the deletion, while the address is still stored. A retry uses the same Message-ID. */
export async function sendAccountDeletedEmail(context: Context, tutorId: string): Promise<void> {
  const { id, email } = await readUser(context, tutorId);
  await sendEmail(context, email, `goodbye.${id}`, {
    subject: 'Your Lessonbook account was deleted',
    paragraphs: [
      'Hello,',
      'as you asked, your account and everything in it has been removed. This is the last mail from us.',
      'Copies in backups are overwritten in the course of the next weeks and used for nothing else.',
    ],
    closing: ['Thank you for having been here.', 'Lessonbook'],
  });
}

const sendEmail = (context: Context, address: string, messageId: string, content: EmailContent) =>
  context.mailer.send({
    ...renderEmail(content),
    to: { name: '', address },
    messageId,
  });
