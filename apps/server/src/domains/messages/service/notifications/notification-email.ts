import { firstName } from '@lessonbook/contract/first-name';
import type { Context } from '../../../../context.ts';
import { renderEmail } from '../../../../platform/mail/email-template.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { findNotificationToEmail, markEmailed } from '../../queries/notifications.ts';
import { ALWAYS_EMAILED } from './notifications.ts';

/** The first sentence without its full stop. A full stop after a title or an initial does not end a sentence. */
const getFirstSentence = (text: string): string =>
  text.split(/(?<=(?<!\b(?:Mr|Mrs|Ms|Dr|Prof|St|[A-Z]))[.?!])\s/)[0]?.replace(/\.$/, '') ?? text;

/** Does nothing if the notification has been read in the meantime. A retry uses the same Message-ID. */
export async function sendNotificationEmail(
  context: Context,
  { tutorId, notificationId }: { tutorId: string; notificationId: number },
): Promise<void> {
  const found = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const notification = await findNotificationToEmail(tx, tutorId, notificationId);
    return notification && { notification, tutor: await getTutorContact(tx, tutorId) };
  });
  if (!found) return;
  const { notification, tutor } = found;
  const { origin } = context.config;
  const email = renderEmail({
    subject: getFirstSentence(notification.text),
    paragraphs: [`Hi ${firstName(tutor.name)},`, notification.text],
    button: { label: 'Open Lessonbook', url: `${origin}${notification.path ?? '/notifications'}` },
    afterButton:
      notification.kind === ALWAYS_EMAILED
        ? []
        : ['You can turn these emails off in Settings, under Notifications.'],
    closing: ['Lessonbook'],
  });
  await context.mailer.send({
    ...email,
    kind: 'notification',
    to: { name: tutor.name, address: tutor.email },
    messageId: `news.${notification.tutorPublicId}.${notificationId}`,
  });
  await context.db.tutorTransactionUnlocked(tutorId, (tx) =>
    markEmailed(tx, tutorId, notificationId, context.clock.now()),
  );
}
