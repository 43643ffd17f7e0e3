import type { EmailContent } from '../../../../platform/mail/email-template.ts';

export interface SecurityEmailText {
  subject: string;
  paragraphs: string[];
  /** A password reset does not help, because its link would be sent to another address. */
  isPasswordUseless?: true;
}

const LOGGED_OUT_ELSEWHERE = 'Everyone who was logged in elsewhere has been logged out.';

/** No text here is supplied by a visitor: `device` comes from a fixed list of descriptions. */
export const SECURITY_EMAIL_TEXTS = {
  'new-login': (when: string, device: string) => ({
    subject: 'New login to Lessonbook',
    paragraphs: [
      `Someone logged in to your account on ${when} with a browser we haven't seen before: ${device}.`,
    ],
  }),
  'password-changed': (when: string) => ({
    subject: 'Your Lessonbook password was changed',
    paragraphs: [`Your password was changed on ${when}. ${LOGGED_OUT_ELSEWHERE}`],
  }),
  'authenticator-on': (when: string) => ({
    subject: 'Authenticator app turned on for Lessonbook',
    paragraphs: [
      `An authenticator app was added to your account on ${when}. You now need a code from it to log in. ${LOGGED_OUT_ELSEWHERE}`,
    ],
  }),
  'authenticator-off': (when: string) => ({
    subject: 'Authenticator app turned off for Lessonbook',
    paragraphs: [
      `The authenticator app was removed from your account on ${when}. You no longer need a code from it to log in.`,
    ],
  }),
  'passkey-added': (when: string) => ({
    subject: 'Passkey added to Lessonbook',
    paragraphs: [
      `A passkey was added to your account on ${when}. Anyone who has it can log in without a password. ${LOGGED_OUT_ELSEWHERE}`,
    ],
  }),
  'passkey-removed': (when: string) => ({
    subject: 'Passkey removed from Lessonbook',
    paragraphs: [
      `A passkey was removed from your account on ${when} and can no longer be used to log in.`,
    ],
  }),
  'recovery-code-used': (when: string, left: string) => ({
    subject: 'Recovery code used for Lessonbook',
    paragraphs: [
      `One of your recovery codes was used on ${when}. ${left} left. You can create new ones in Settings, under Security.`,
    ],
  }),
  'recovery-codes-new': (when: string) => ({
    subject: 'New recovery codes for Lessonbook',
    paragraphs: [`New recovery codes were created on ${when}. The old ones no longer work.`],
  }),
  'logins-revoked': (when: string) => ({
    subject: 'Another browser was logged out of Lessonbook',
    paragraphs: [`Another browser was logged out of your account on ${when}.`],
  }),
  'portal-opened': (when: string) => ({
    subject: 'Your family portal is open',
    paragraphs: [
      `The family portal was opened on ${when}. Families can now sign in and see what you've allowed.`,
      'You can close it in Settings, under Family portal.',
    ],
  }),
  'bank-details-changed': (when: string) => ({
    subject: 'Your bank details on Lessonbook were changed',
    paragraphs: [
      `Your bank details were changed on ${when}. Families who open an invoice now see the new ones.`,
      'Please check them in Settings, under Business.',
    ],
  }),
  'business-details-changed': (when: string) => ({
    subject: 'Your business details on Lessonbook were changed',
    paragraphs: [
      `The business details on your invoices were changed on ${when}. Please check them in Settings, under Business.`,
    ],
  }),
  'message-texts-changed': (when: string) => ({
    subject: 'Your message templates on Lessonbook were changed',
    paragraphs: [
      `The templates of your messages to families were changed on ${when}. Please check them in Settings, under Reminders.`,
    ],
  }),
  'cards-connected': (when: string) => ({
    subject: 'Card payments connected to Lessonbook',
    paragraphs: [
      `Card payments were connected to your account on ${when}. Stripe pays the money into the bank account you entered there.`,
    ],
  }),
  'calendar-connected': (when: string) => ({
    subject: 'Google Calendar connected to Lessonbook',
    paragraphs: [
      `Google Calendar was connected to your account on ${when}. Your lessons now appear in it.`,
    ],
  }),
  'feed-shown': (when: string) => ({
    subject: 'Your Lessonbook calendar address was shown',
    paragraphs: [
      `The address of your calendar was shown on ${when}. Anyone who has it can read your schedule without logging in.`,
      'You can replace the address in Settings, under Calendar Integration.',
    ],
  }),
  'feed-replaced': (when: string) => ({
    subject: 'Your Lessonbook calendar address was replaced',
    paragraphs: [
      `The address of your calendar was replaced on ${when}. Calendars that use the old one are no longer updated.`,
    ],
  }),
  'export-requested': (when: string) => ({
    subject: 'Export of your Lessonbook data requested',
    paragraphs: [`A copy of all your data was requested on ${when}.`],
  }),
  'export-downloaded': (when: string) => ({
    subject: 'Export of your Lessonbook data downloaded',
    paragraphs: [`The copy of all your data was downloaded on ${when}.`],
  }),
  'person-erased': (when: string) => ({
    subject: 'Someone was erased from your Lessonbook account',
    paragraphs: [
      `A student or contact was erased on ${when}. Amounts and invoice numbers are kept, without the name.`,
    ],
  }),
  'email-changed': (when: string) => ({
    subject: 'Your Lessonbook email was changed',
    paragraphs: [`The email address of your account was changed on ${when}.`],
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
    subject: 'Google sign-in was removed from your Lessonbook account',
    paragraphs: [`Google sign-in was removed from your account on ${when}.`],
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
      'Please set up a passkey or an authenticator app again in Settings, under Security.',
    ],
  }),
} satisfies Record<string, (when: string, detail: string) => SecurityEmailText>;

export type SecurityNotificationKind = keyof typeof SECURITY_EMAIL_TEXTS;

export const buildSecurityEmail = (
  { subject, paragraphs, isPasswordUseless }: SecurityEmailText,
  origin: string,
): EmailContent =>
  isPasswordUseless
    ? { subject, paragraphs: ['Hi,', ...paragraphs], closing: ['Lessonbook'] }
    : {
        subject,
        paragraphs: [
          'Hi,',
          ...paragraphs,
          "If that was you, there's nothing to do. If it wasn't, choose a new password now. That logs everyone out.",
        ],
        button: { label: 'Choose a new password', url: `${origin}/forgot-password` },
        closing: ['Lessonbook'],
      };
