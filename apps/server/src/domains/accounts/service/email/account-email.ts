import type { Context } from '../../../../context.ts';
import { deriveToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type EmailContent, renderEmail } from '../../../../platform/mail/email-template.ts';
import { accountEmailFailed } from '../../events.ts';
import {
  findUnsentEmailToken,
  listUnsentEmailTokens,
  markEmailTokenSent,
} from '../../queries/email-tokens.ts';
import {
  findUnnotifiedIdentity,
  listUnnotifiedIdentityIds,
  markOwnerNotified,
} from '../../queries/identities.ts';
import type { EmailTokenPurpose } from '../../rules/expirations.ts';

/** The email contains no text chosen by the person who linked the account. */
export async function sendGoogleLinkedEmail(context: Context, identityId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const identity = await findUnnotifiedIdentity(db.global, identityId);
  if (!identity) return;
  const rendered = renderEmail({
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
    to: { name: '', address: identity.email },
    messageId: `google-linked.${identity.id}`,
    ...rendered,
  });
  await markOwnerNotified(db.global, identity.id, clock.now());
}

export async function giveUpGoogleLinkedEmail(
  context: Context,
  { tutorId, identityId }: { tutorId: string; identityId: string },
): Promise<void> {
  const { db, clock, events } = context;
  await db.tutorTransaction(tutorId, async (tx) => {
    const identity = await findUnnotifiedIdentity(tx, identityId);
    if (!identity) return;
    await markOwnerNotified(tx, identityId, clock.now());
    await events.publish(tx, accountEmailFailed, {
      tutorId,
      email: { kind: 'google-linked' },
      dedupeKey: `email ${identityId}`,
    });
  });
}

export const listPendingGoogleLinkedEmails = async (tx: Tx, tutorId: string) =>
  (await listUnnotifiedIdentityIds(tx, tutorId)).map((identityId) => ({ tutorId, identityId }));

interface EmailTokenIds {
  tutorId: string;
  tokenId: string;
}

/**
 * Sends the email for one token, unless it has already been sent, or the token has been used or has expired. The token
 * is derived from its id, so a retry has the same link and Message-ID.
 */
export async function sendAccountEmail(context: Context, ids: EmailTokenIds): Promise<void> {
  const { db, clock, mailer, config } = context;
  const row = await findUnsentEmailToken(db.global, ids.tokenId);
  if (!row) return;
  if (row.expiresAt <= clock.now()) return giveUpAccountEmail(context, ids);
  const purpose = row.purpose as EmailTokenPurpose;
  const token = deriveToken(config.secretKey, purpose, row.id);
  const rendered = renderEmail(emailTemplates[purpose](config.origin, token));
  await mailer.send({
    to: { name: '', address: row.email },
    messageId: `${purpose}.${row.id}`,
    ...rendered,
  });
  await markEmailTokenSent(db.global, row.id, clock.now());
}

/** The token stays valid, because the email may have arrived although the mail server did not confirm it. */
export async function giveUpAccountEmail(
  context: Context,
  { tutorId, tokenId }: EmailTokenIds,
): Promise<void> {
  const { db, events } = context;
  await db.tutorTransaction(tutorId, async (tx) => {
    const row = await findUnsentEmailToken(tx, tokenId);
    if (!row) return;
    await events.publish(tx, accountEmailFailed, {
      tutorId,
      email: { kind: row.purpose as EmailTokenPurpose },
      dedupeKey: `email ${tokenId}`,
    });
  });
}

export const listPendingAccountEmails =
  (purpose: EmailTokenPurpose) =>
  async (tx: Tx, tutorId: string): Promise<EmailTokenIds[]> =>
    (await listUnsentEmailTokens(tx, tutorId, purpose)).map(({ id }) => ({ tutorId, tokenId: id }));

/**
 * These emails do not contain the name: the person signing up chooses both the name and the address, and could use them
 * to send text of their choice to a stranger.
 */
const emailTemplates: Record<EmailTokenPurpose, (origin: string, token: string) => EmailContent> = {
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
