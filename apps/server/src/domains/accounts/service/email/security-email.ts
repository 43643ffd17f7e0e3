import { DEFAULT_TIME_ZONE } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { type EmailContent, renderEmail } from '../../../../platform/mail/email-template.ts';
import { deleteSecurityEmail, securityEmailById } from '../../queries/security-email-outbox.ts';
import { tutorById } from '../../queries/tutors.ts';

/** Sends the mail of one notice, which is gone afterwards; a second attempt carries the same Message-ID. */
export async function sendSecurityEmail(
  context: Context,
  { tutorId, noticeId }: { tutorId: string; noticeId: string },
): Promise<void> {
  const { db, mailer, config } = context;
  const [[notice], [tutor]] = await db.tutorRead(tutorId, (tx) => [
    securityEmailById(tx, tutorId, noticeId),
    tutorById(tx, tutorId),
  ]);
  if (!notice) return;
  const when = formatLocalTime(notice.createdAt, tutor?.timeZone ?? DEFAULT_TIME_ZONE);
  const { subject, paragraphs } = EMAIL_TEXTS[notice.kind as SecurityNotificationKind](
    when,
    notice.detail ?? '',
  );
  await mailer.send({
    to: { name: '', address: notice.email },
    messageId: `security.${noticeId}`,
    ...renderEmail(buildSecurityEmail(subject, paragraphs, config.origin)),
  });
  await db.tutorTransactionUnlocked(tutorId, (tx) => deleteSecurityEmail(tx, tutorId, noticeId));
}

const buildSecurityEmail = (
  subject: string,
  paragraphs: string[],
  origin: string,
): EmailContent => ({
  subject,
  paragraphs: [
    'Hello,',
    ...paragraphs,
    'If that was you, there is nothing to do. If it was not, choose a new password now: that logs everyone out.',
  ],
  button: { label: 'Choose a new password', url: `${origin}/forgot-password` },
  closing: ['Lessonbook'],
});

const LOGGED_OUT_ELSEWHERE = 'Everyone who was logged in elsewhere has been logged out.';

/** No name and no word of a visitor's is in these letters: devices are told from a short list of ours. */
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
  'email-changed': (when: string) => ({
    subject: 'Your Lessonbook email was changed',
    paragraphs: [`since ${when} your account has another email address.`],
  }),
} satisfies Record<
  string,
  (when: string, detail: string) => { subject: string; paragraphs: string[] }
>;

export type SecurityNotificationKind = keyof typeof EMAIL_TEXTS;

const formatLocalTime = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    instant,
  );
