import { DEFAULT_TIME_ZONE } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import { type EmailContent, renderEmail } from '../../../../platform/mail/email-template.ts';
import { accountEmailFailed } from '../../events.ts';
import { SECURITY_EMAIL_JOB } from '../../job-types.ts';
import { validEmailTokensOf } from '../../queries/email-tokens.ts';
import {
  deleteSecurityEmail,
  insertSecurityEmail,
  listSecurityEmailIds,
  securityEmailById,
} from '../../queries/security-email-outbox.ts';
import { directoryEntry, tutorById } from '../../queries/tutors.ts';
import { getTimeZone } from '../profile/read-tutor.ts';

/**
 * Enqueues an email about a security change in the caller's transaction. Does nothing for the demo account, or for an
 * unverified address, which may belong to a stranger.
 */
export async function notifyOwner(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: SecurityNotificationKind,
  options: { detail?: string; email?: string } = {},
): Promise<void> {
  const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  if (entry.isDemo || !entry.emailVerifiedAt) return;
  const now = context.clock.now();
  const id = uuidV7(now);
  const { email = entry.email, detail = null } = options;
  await insertSecurityEmail(tx, { tutorId, id, kind, email, detail, now });
  await context.queue.enqueue(tx, SECURITY_EMAIL_JOB, { tutorId, emailId: id });
}

/** The current address first, then the one that can still be restored. */
export async function listKnownAddresses(
  { clock }: Context,
  tx: Tx,
  tutorId: string,
): Promise<string[]> {
  const { email } = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
  const earlier = await validEmailTokensOf(tx, tutorId, 'revert-email', clock.now());
  return [...new Set([email, ...earlier.map((token) => token.email)])];
}

export async function notifyKnownAddresses(
  context: Context,
  tx: Tx,
  tutorId: string,
  kind: SecurityNotificationKind,
): Promise<void> {
  for (const email of await listKnownAddresses(context, tx, tutorId))
    await notifyOwner(context, tx, tutorId, kind, { email });
}

/** Deletes the row after sending. A retry uses the same Message-ID. */
export async function sendSecurityEmail(
  context: Context,
  { tutorId, emailId }: { tutorId: string; emailId: string },
): Promise<void> {
  const { db, mailer, config } = context;
  const [[email], [tutor]] = await db.tutorRead(tutorId, (tx) => [
    securityEmailById(tx, tutorId, emailId),
    tutorById(tx, tutorId),
  ]);
  if (!email) return;
  const text = toText(email, tutor?.timeZone ?? DEFAULT_TIME_ZONE);
  await mailer.send({
    to: { name: '', address: email.email },
    messageId: `security.${emailId}`,
    ...renderEmail(buildSecurityEmail(text, config.origin)),
  });
  await db.tutorTransactionUnlocked(tutorId, (tx) => deleteSecurityEmail(tx, tutorId, emailId));
}

/** The notification replaces the email, so the row is not kept. */
export async function giveUpSecurityEmail(
  context: Context,
  { tutorId, emailId }: { tutorId: string; emailId: string },
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const email = await securityEmailById(tx, tutorId, emailId).executeTakeFirst();
    if (!email) return;
    const { subject } = toText(email, await getTimeZone(tx, tutorId));
    await deleteSecurityEmail(tx, tutorId, emailId);
    await context.events.publish(tx, accountEmailFailed, {
      tutorId,
      email: { kind: 'security', about: subject },
      dedupeKey: `email ${emailId}`,
    });
  });
}

export const listPendingSecurityEmails = async (tx: Tx, tutorId: string) =>
  (await listSecurityEmailIds(tx, tutorId)).map((emailId) => ({ tutorId, emailId }));

const toText = (
  email: { kind: string; detail: string | null; createdAt: Date },
  timeZone: string,
): SecurityEmailText =>
  EMAIL_TEXTS[email.kind as SecurityNotificationKind](
    formatLocalTime(email.createdAt, timeZone),
    email.detail ?? '',
  );

interface SecurityEmailText {
  subject: string;
  paragraphs: string[];
  /** A new password does not help, because its link goes to another address. */
  isPasswordUseless?: true;
}

const buildSecurityEmail = (
  { subject, paragraphs, isPasswordUseless }: SecurityEmailText,
  origin: string,
): EmailContent =>
  isPasswordUseless
    ? { subject, paragraphs: ['Hello,', ...paragraphs], closing: ['Lessonbook'] }
    : {
        subject,
        paragraphs: [
          'Hello,',
          ...paragraphs,
          'If that was you, there is nothing to do. If it was not, choose a new password now: that logs everyone out.',
        ],
        button: { label: 'Choose a new password', url: `${origin}/forgot-password` },
        closing: ['Lessonbook'],
      };

const LOGGED_OUT_ELSEWHERE = 'Everyone who was logged in elsewhere has been logged out.';

/** No text here is supplied by a visitor: `device` comes from a fixed list of descriptions. */
const EMAIL_TEXTS = {
  'new-login': (when: string, device: string) => ({
    subject: 'New login to Lessonbook',
    paragraphs: [
      `somebody logged in to your book on ${when} with a browser that we have not seen before: ${device}.`,
    ],
  }),
  'password-changed': (when: string) => ({
    subject: 'Your Lessonbook password was changed',
    paragraphs: [`your password was changed on ${when}. ${LOGGED_OUT_ELSEWHERE}`],
  }),
  'authenticator-on': (when: string) => ({
    subject: 'Authenticator app turned on for Lessonbook',
    paragraphs: [
      `since ${when} a code of an authenticator app is asked for at each login. ${LOGGED_OUT_ELSEWHERE}`,
    ],
  }),
  'authenticator-off': (when: string) => ({
    subject: 'Authenticator app turned off for Lessonbook',
    paragraphs: [`since ${when} no code of an authenticator app is asked for any more.`],
  }),
  'passkey-added': (when: string) => ({
    subject: 'Passkey added to Lessonbook',
    paragraphs: [
      `a passkey was added on ${when}, which opens your book by itself. ${LOGGED_OUT_ELSEWHERE}`,
    ],
  }),
  'passkey-removed': (when: string) => ({
    subject: 'Passkey removed from Lessonbook',
    paragraphs: [`a passkey was removed on ${when} and opens your book no longer.`],
  }),
  'recovery-code-used': (when: string, left: string) => ({
    subject: 'Recovery code used for Lessonbook',
    paragraphs: [
      `one of your recovery codes was used on ${when}. ${left} left. You can make new ones in Settings, under Security.`,
    ],
  }),
  'recovery-codes-new': (when: string) => ({
    subject: 'New recovery codes for Lessonbook',
    paragraphs: [`new recovery codes were made on ${when}. The old ones no longer work.`],
  }),
  'logins-revoked': (when: string) => ({
    subject: 'Another browser was logged out of Lessonbook',
    paragraphs: [`on ${when} another browser of yours was logged out.`],
  }),
  'bank-details-changed': (when: string) => ({
    subject: 'Your bank details on Lessonbook were changed',
    paragraphs: [
      `your bank details were changed on ${when}. Families who open an invoice now see the new ones.`,
      'Please check them in Settings, under Business.',
    ],
  }),
  'business-details-changed': (when: string) => ({
    subject: 'Your business details on Lessonbook were changed',
    paragraphs: [
      `what your invoices say about your business was changed on ${when}. Please check it in Settings, under Business.`,
    ],
  }),
  'message-texts-changed': (when: string) => ({
    subject: 'Your message texts on Lessonbook were changed',
    paragraphs: [
      `the texts of your messages to families were changed on ${when}. Please check them in Settings, under Reminders.`,
    ],
  }),
  'cards-connected': (when: string) => ({
    subject: 'Card payments connected to Lessonbook',
    paragraphs: [
      `since ${when} families can pay you by card. The money goes to the bank account entered at Stripe.`,
    ],
  }),
  'calendar-connected': (when: string) => ({
    subject: 'Google Calendar connected to Lessonbook',
    paragraphs: [`since ${when} your lessons are sent to a Google calendar.`],
  }),
  'feed-shown': (when: string) => ({
    subject: 'Your Lessonbook calendar address was shown',
    paragraphs: [
      `the address of your calendar was shown on ${when}. Whoever has it can read your schedule without logging in.`,
      'If you did not ask for it, also replace the address in Settings, under Calendar.',
    ],
  }),
  'feed-replaced': (when: string) => ({
    subject: 'Your Lessonbook calendar address was replaced',
    paragraphs: [
      `the address of your calendar was replaced on ${when}. Calendars that use the old one no longer update.`,
    ],
  }),
  'export-requested': (when: string) => ({
    subject: 'Export of your Lessonbook data requested',
    paragraphs: [`a file with all your data was requested on ${when}.`],
  }),
  'export-downloaded': (when: string) => ({
    subject: 'Export of your Lessonbook data downloaded',
    paragraphs: [`the file with all your data was downloaded on ${when}.`],
  }),
  'person-erased': (when: string) => ({
    subject: 'Somebody was erased from your Lessonbook',
    paragraphs: [
      `a student or a contact was erased on ${when}. Amounts and invoice numbers stay, without the name.`,
    ],
  }),
  'email-changed': (when: string) => ({
    subject: 'Your Lessonbook email was changed',
    paragraphs: [`since ${when} your account has another email address.`],
  }),
  'email-changed-again': (when: string) => ({
    subject: 'Your Lessonbook email was changed again',
    paragraphs: [
      `The email address of your Lessonbook account was changed again on ${when}.`,
      "If you didn't make this change, open the email we sent you when the address was first changed. The link in it restores this address, logs everyone out and lets you choose a new password. It works for seven days from the first change.",
    ],
    isPasswordUseless: true,
  }),
  'email-replaced': (when: string) => ({
    subject: 'Your Lessonbook email was changed',
    paragraphs: [
      `The email address of your Lessonbook account was changed on ${when}. We no longer send account emails to this address.`,
      "If you didn't make this change, use the link we sent to the address you had before this one. It works for seven days.",
    ],
    isPasswordUseless: true,
  }),
  'email-reverted': (when: string) => ({
    subject: 'Your Lessonbook email was changed back',
    paragraphs: [
      `The earlier email address of your Lessonbook account was restored on ${when} with the link we sent there. Everyone has been logged out.`,
      'This address is no longer connected to the account.',
    ],
    isPasswordUseless: true,
  }),
  'google-unlinked': (when: string) => ({
    subject: 'Google sign-in disconnected from Lessonbook',
    paragraphs: [`Google sign-in was disconnected from your account on ${when}.`],
  }),
  'mfa-removal-cancelled': (when: string) => ({
    subject: 'Two-step login stays on for Lessonbook',
    paragraphs: [
      `The removal of two-step login from your account was cancelled on ${when}. You still need a passkey, your authenticator app or a recovery code to log in.`,
    ],
  }),
  'mfa-removed': (when: string) => ({
    subject: 'Two-step login was removed from Lessonbook',
    paragraphs: [
      `Two-step login was removed from your account on ${when}, as requested three days before. Everyone has been logged out, and you can log in with your password.`,
      'Please set up a passkey or an authenticator app again under Settings, Security.',
    ],
  }),
} satisfies Record<string, (when: string, detail: string) => SecurityEmailText>;

export type SecurityNotificationKind = keyof typeof EMAIL_TEXTS;

const formatLocalTime = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    instant,
  );
