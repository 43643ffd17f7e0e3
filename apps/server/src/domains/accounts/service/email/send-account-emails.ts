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
import { lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
import type { EmailTokenPurpose } from '../../rules/expirations.ts';
import { cancelMfaRemoval } from '../mfa/mfa-removal.ts';

/** Contains no text chosen by the person who linked the account. */
export const googleLinkedEmail = (origin: string): EmailContent => ({
  subject: 'Google sign-in was added to your Lessonbook account',
  paragraphs: [
    'Hi,',
    'You can now log in to Lessonbook with the Google account that has this address. Everyone who was logged in elsewhere has been logged out.',
    "If that was you, there's nothing to do. If it wasn't, choose a new password. That also disconnects Google.",
  ],
  button: { label: 'Choose a new password', url: `${origin}/forgot-password` },
  closing: ['Lessonbook'],
});

export async function sendGoogleLinkedEmail(context: Context, identityId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const identity = await findUnnotifiedIdentity(db.global, identityId);
  if (!identity) return;
  const rendered = renderEmail(googleLinkedEmail(config.origin));
  await mailer.send({
    kind: 'account',
    to: { name: '', address: identity.email },
    messageId: `google-linked.${identity.id}`,
    ...rendered,
  });
  await markOwnerNotified(db.global, identity.id, clock.now());
}

export async function abandonGoogleLinkedEmail(
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
  if (row.expiresAt <= clock.now()) return abandonAccountEmail(context, ids);
  const purpose = row.purpose as EmailTokenPurpose;
  const token = deriveToken(config.secretKey, purpose, row.id);
  const rendered = renderEmail(ACCOUNT_EMAILS[purpose](config.origin, token));
  await mailer.send({
    kind: 'account',
    to: { name: '', address: row.email },
    messageId: `${purpose}.${row.id}`,
    ...rendered,
  });
  await markEmailTokenSent(db.global, row.id, clock.now());
}

/**
 * The token stays valid, because the email may have arrived even if the mail server did not confirm it. If the warning about
 * removing two-step login could not be sent to one of the account's addresses, the removal is cancelled.
 */
export async function abandonAccountEmail(
  context: Context,
  { tutorId, tokenId }: EmailTokenIds,
): Promise<void> {
  const { db, events } = context;
  await db.tutorTransaction(tutorId, async (tx) => {
    const row = await findUnsentEmailToken(tx, tokenId);
    if (!row) return;
    if (row.purpose === 'keep-two-step') {
      const { mfaRemovalDueAt } = await lockDirectoryEntry(tx, tutorId);
      if (mfaRemovalDueAt) await cancelMfaRemoval(context, tx, tutorId);
    }
    await events.publish(tx, accountEmailFailed, {
      tutorId,
      email: { kind: row.purpose as EmailTokenPurpose },
      dedupeKey: `email ${tokenId}`,
    });
  });
}

export const listPendingAccountEmails =
  (purposes: readonly EmailTokenPurpose[]) =>
  async (tx: Tx, tutorId: string): Promise<EmailTokenIds[]> =>
    (await listUnsentEmailTokens(tx, tutorId, purposes)).map(({ id }) => ({
      tutorId,
      tokenId: id,
    }));

/**
 * These emails do not contain the recipient's name: the person signing up chooses both the name and the address, and could
 * use them to send text of their choice to a stranger.
 */
export const ACCOUNT_EMAILS: Record<
  EmailTokenPurpose,
  (origin: string, token: string) => EmailContent
> = {
  'verify-email': (origin, token) => ({
    subject: 'Confirm your email for Lessonbook',
    paragraphs: [
      'Hi,',
      'Please confirm that this is your email address. The link works for three days.',
    ],
    button: { label: 'Confirm email', url: `${origin}/verify-email/${token}` },
    afterButton: ["If you didn't ask for this, you can ignore this email."],
    closing: ['Lessonbook'],
  }),
  'reset-password': (origin, token) => ({
    subject: 'Choose a new password for Lessonbook',
    paragraphs: [
      'Hi,',
      'Someone asked for a new password for the account with this address. If that was you, choose one here. The link works for one hour.',
    ],
    button: { label: 'Choose a new password', url: `${origin}/reset-password/${token}` },
    afterButton: ["If it wasn't you, nothing has changed and you can ignore this email."],
    closing: ['Lessonbook'],
  }),
  'revert-email': (origin, token) => ({
    subject: 'Your Lessonbook email was changed',
    paragraphs: [
      'Hi,',
      "The email address on your Lessonbook account has changed. If you changed it, you don't need to do anything.",
      "If you didn't, someone else has used your account. Restore this address within seven days. That logs everyone out, including the person who changed it, and you can then choose a new password.",
    ],
    button: { label: 'Restore this address', url: `${origin}/revert-email/${token}` },
    closing: ['Lessonbook'],
  }),
  'remove-two-step': (origin, token) => ({
    subject: 'Remove two-step login from Lessonbook',
    paragraphs: [
      'Hi,',
      "Someone asked to remove two-step login from the account with this address, because they can't use their passkey, authenticator app or recovery codes.",
      'If that was you, open this link to start. It works for one hour. Two-step login will be removed three days later.',
    ],
    button: { label: 'Continue', url: `${origin}/remove-two-step/${token}` },
    afterButton: ["If it wasn't you, you can ignore this email. Nothing has changed."],
    closing: ['Lessonbook'],
  }),
  'keep-two-step': (origin, token) => ({
    subject: 'Two-step login will be removed from Lessonbook in three days',
    paragraphs: [
      'Hi,',
      "Someone with access to your email asked us to remove two-step login from your Lessonbook account, saying they can't use a passkey, authenticator app or recovery code. We'll remove it in three days.",
      "If that was you, you don't need to do anything. We'll email you once it's done.",
      "If it wasn't, keep two-step login. Logging in as usual also keeps it. Then change your Lessonbook password and your email password.",
    ],
    button: { label: 'Keep two-step login', url: `${origin}/keep-two-step/${token}` },
    closing: ['Lessonbook'],
  }),
};
