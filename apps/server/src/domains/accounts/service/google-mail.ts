import type { Context } from '../../../context.ts';
import { renderLetter } from '../../../platform/mail-layout.ts';
import { noteOwnerTold, untoldIdentity } from '../queries/identities.ts';

/** Writes to the owner of a book that can be opened by Google from now on. No name and no word of the visitor's is in it. */
export async function sendGoogleLinkedMail(context: Context, identityId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const linked = await untoldIdentity(db.global, identityId);
  if (!linked) return;
  const letter = renderLetter({
    subject: 'Google sign-in was connected to Lessonbook',
    paragraphs: [
      'Hello,',
      'your book can now be opened with the Google account that has this address. Everyone who was logged in elsewhere has been logged out.',
      'If that was you, there is nothing to do. If it was not, choose a new password: that also disconnects Google.',
    ],
    button: { label: 'Choose a new password', url: `${config.origin}/forgot-password` },
    closing: ['Lessonbook'],
  });
  await mailer.send({
    to: { name: '', address: linked.email },
    messageId: `google-linked.${linked.id}`,
    ...letter,
  });
  await noteOwnerTold(db.global, linked.id, clock.now());
}
