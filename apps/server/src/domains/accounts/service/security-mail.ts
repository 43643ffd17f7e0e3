import { DEFAULT_TIME_ZONE } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { type Letter, renderLetter } from '../../../platform/mail-layout.ts';
import { deleteNotice, noticeById } from '../queries/notices.ts';
import { tutorById } from '../queries/tutors.ts';

/** Sends the mail of one notice, which is gone afterwards; a second attempt carries the same Message-ID. */
export async function sendSecurityMail(
  context: Context,
  { tutorId, noticeId }: { tutorId: string; noticeId: string },
): Promise<void> {
  const { db, mailer, config } = context;
  const [[notice], [tutor]] = await db.readTutor(tutorId, (tx) => [
    noticeById(tx, tutorId, noticeId),
    tutorById(tx, tutorId),
  ]);
  if (!notice) return;
  const when = onTheWall(notice.createdAt, tutor?.timeZone ?? DEFAULT_TIME_ZONE);
  const { subject, paragraphs } = words[notice.kind as NoticeKind](when, notice.detail ?? '');
  await mailer.send({
    to: { name: '', address: notice.email },
    messageId: `security.${noticeId}`,
    ...renderLetter(letter(subject, paragraphs, config.origin)),
  });
  await db.besideTutor(tutorId, (tx) => deleteNotice(tx, tutorId, noticeId));
}

const letter = (subject: string, paragraphs: string[], origin: string): Letter => ({
  subject,
  paragraphs: [
    'Hello,',
    ...paragraphs,
    'If that was you, there is nothing to do. If it was not, choose a new password now: that logs everyone out.',
  ],
  button: { label: 'Choose a new password', url: `${origin}/forgot-password` },
  closing: ['Lessonbook'],
});

const elsewhere = 'Everyone who was logged in elsewhere has been logged out.';

/** No name and no word of a visitor's is in these letters: devices are told from a short list of ours. */
const words = {
  'new-login': (when: string, device: string) => ({
    subject: 'New login to Lessonbook',
    paragraphs: [
      `somebody logged in to your book on ${when} with a browser that we have not seen before: ${device}.`,
    ],
  }),
  'password-changed': (when: string) => ({
    subject: 'Your Lessonbook password was changed',
    paragraphs: [`your password was changed on ${when}. ${elsewhere}`],
  }),
  'authenticator-on': (when: string) => ({
    subject: 'Authenticator app turned on for Lessonbook',
    paragraphs: [
      `since ${when} a code of an authenticator app is asked for at each login. ${elsewhere}`,
    ],
  }),
  'authenticator-off': (when: string) => ({
    subject: 'Authenticator app turned off for Lessonbook',
    paragraphs: [`since ${when} no code of an authenticator app is asked for any more.`],
  }),
  'passkey-added': (when: string) => ({
    subject: 'Passkey added to Lessonbook',
    paragraphs: [`a passkey was added on ${when}, which opens your book by itself. ${elsewhere}`],
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

export type NoticeKind = keyof typeof words;

const onTheWall = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone }).format(
    instant,
  );
