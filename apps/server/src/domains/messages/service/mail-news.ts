import type { Context } from '../../../context.ts';
import { renderLetter } from '../../../platform/mail-layout.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { noteMailed, unmailedNotification } from '../queries/notifications.ts';

/** Mails a notice to the tutor, unless it was read meanwhile. The Message-ID stays the same if it has to be sent again. */
export async function mailNews(
  context: Context,
  { tutorId, notificationId }: { tutorId: string; notificationId: number },
): Promise<void> {
  const found = await context.db.withTutor(tutorId, async (tx) => {
    const news = await unmailedNotification(tx, tutorId, notificationId);
    return news && { news, tutor: await contactIn(tx, tutorId) };
  });
  if (!found) return;
  const { news, tutor } = found;
  const { origin } = context.config;
  const letter = renderLetter({
    subject: news.text,
    paragraphs: [news.text],
    button: { label: 'Open Lessonbook', url: `${origin}${news.path ?? '/notifications'}` },
    closing: ['You can turn these mails off in Settings, under Notifications.', 'Lessonbook'],
  });
  await context.mailer.send({
    ...letter,
    to: { name: tutor.name, address: tutor.email },
    messageId: `news.${news.tutorPublicId}.${notificationId}`,
  });
  await context.db.withTutor(tutorId, (tx) =>
    noteMailed(tx, tutorId, notificationId, context.clock.now()),
  );
}
