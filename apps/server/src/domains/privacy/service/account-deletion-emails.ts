import { firstName } from '@lessonbook/contract/first-name';
import type { Context } from '../../../context.ts';
import { type EmailContent, renderEmail } from '../../../platform/mail/email-template.ts';
import { getTutorContact, readUser } from '../../accounts/service/profile/read-tutor.ts';
import { notify } from '../../messages/service/notifications/notifications.ts';

/** Sent immediately, so that a tutor who did not request the deletion can cancel it. Not sent if already cancelled. */
export async function sendDeletionScheduledEmail(context: Context, tutorId: string): Promise<void> {
  const user = await readUser(context, tutorId);
  const { id, email, timeZone, deletesAt } = user;
  if (!deletesAt) return;
  const at = new Date(deletesAt);
  const day = formatDay(at, timeZone);
  await sendEmail(context, email, `leaving.${id}.${at.getTime()}`, {
    subject: 'Your Lessonbook account will be deleted',
    paragraphs: [
      greet(user),
      `You asked us to delete your account. On ${day} everything in it will be permanently deleted: students, families, lessons, payments and invoices.`,
      'Until then you can log in and keep it, or download a copy of everything. Automatic messages to families are paused.',
    ],
    button: { label: 'Open Lessonbook', url: `${context.config.origin}/settings/your-data` },
    afterButton: ["If it wasn't you, please log in, keep the account and change your password."],
    closing: ['Lessonbook'],
  });
}

export async function abandonDeletionScheduledEmail(
  context: Context,
  tutorId: string,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const { deletionScheduledAt, timeZone } = await getTutorContact(tx, tutorId);
    if (!deletionScheduledAt) return;
    await notify(context, tx, tutorId, {
      kind: 'email_failed',
      dedupeKey: `deletion email ${deletionScheduledAt.toISOString()}`,
      text: `Your account will be deleted on ${formatDay(deletionScheduledAt, timeZone)}, and we couldn't email you about it. If this wasn't you, keep the account and change your password.`,
      path: '/settings/your-data',
      requiresAction: true,
    });
  });
}

/** Omits the name if the address is not confirmed, because the person who signed up chose both. */
const greet = ({ name, emailVerified }: { name: string; emailVerified: boolean }): string =>
  emailVerified ? `Hi ${firstName(name)},` : 'Hi,';

const formatDay = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone }).format(instant);

/** Sent before the deletion, while the address is still stored. A retry uses the same Message-ID. */
export async function sendAccountDeletedEmail(context: Context, tutorId: string): Promise<void> {
  const user = await readUser(context, tutorId);
  const { id, email } = user;
  await sendEmail(context, email, `goodbye.${id}`, {
    subject: 'Your Lessonbook account was deleted',
    paragraphs: [
      greet(user),
      'As you asked, your account and everything in it has been deleted. This is the last email from us.',
      'Copies in backups are overwritten over the next few weeks and are not used for anything else.',
      'Thank you for using Lessonbook.',
    ],
    closing: ['Lessonbook'],
  });
}

const sendEmail = (context: Context, address: string, messageId: string, content: EmailContent) =>
  context.mailer.send({
    ...renderEmail(content),
    kind: 'account_deletion',
    to: { name: '', address },
    messageId,
  });
