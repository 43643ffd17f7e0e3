import type { Context } from '../../../context.ts';
import { derivedToken } from '../../../platform/crypto.ts';
import { type Letter, renderLetter } from '../../../platform/mail-layout.ts';
import { noteLinkSent, unsentMailLink } from '../queries/mail-links.ts';
import type { LinkPurpose } from '../rules/lifetimes.ts';

/**
 * Sends the mail of one link, unless it went out, was used or ran out meanwhile. The token is derived, so a second
 * attempt carries the same link and the same Message-ID as the first.
 */
export async function sendAccountMail(context: Context, linkId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const link = await unsentMailLink(db.global, linkId, clock.now());
  if (!link) return;
  const purpose = link.purpose as LinkPurpose;
  const token = derivedToken(config.secretKey, purpose, link.id);
  const letter = renderLetter(letters[purpose](config.origin, token));
  await mailer.send({
    to: { name: '', address: link.email },
    messageId: `${purpose}.${link.id}`,
    ...letter,
  });
  await noteLinkSent(db.global, link.id, clock.now());
}

/**
 * No name in these letters: whoever signs up chooses both the name and the address, and could make us carry
 * words of theirs to a stranger.
 */
const letters: Record<LinkPurpose, (origin: string, token: string) => Letter> = {
  'verify-email': (origin, token) => ({
    subject: 'Confirm your email for Lessonbook',
    paragraphs: [
      'Hello,',
      'please confirm that this address is yours, so that Lessonbook can write to you here. The link works for three days.',
    ],
    button: { label: 'Confirm email', url: `${origin}/verify-email/${token}` },
    closing: ['If you did not ask for this, you can ignore this mail.', 'Lessonbook'],
  }),
  'reset-password': (origin, token) => ({
    subject: 'Choose a new password for Lessonbook',
    paragraphs: [
      'Hello,',
      'someone asked for a new password for the account with this address. If that was you, choose one here. The link works for one hour.',
    ],
    button: { label: 'Choose a new password', url: `${origin}/reset-password/${token}` },
    closing: ['If it was not you, nothing has changed and you can ignore this mail.', 'Lessonbook'],
  }),
};
