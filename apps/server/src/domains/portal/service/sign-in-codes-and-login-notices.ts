import type { Context } from '../../../context.ts';
import { deriveToken } from '../../../platform/crypto/tokens.ts';
import { describeUserAgent, UNKNOWN_BROWSER } from '../../../platform/http/user-agent.ts';
import { type EmailContent, renderEmail } from '../../../platform/mail/email-template.ts';
import { sendSignInCode } from '../../messages/service/whatsapp/send-code.ts';
import { activeContactAccess, contactEmail } from '../queries/contact-access.ts';
import {
  directoryEntriesByAddress,
  findUnnotifiedLogin,
  markLoginNotified,
} from '../queries/contact-directory-and-portal-logins.ts';
import {
  deletePreviousAddress,
  findPreviousAddress,
  findUnsentCode,
  markCodeSent,
} from '../queries/portal-codes.ts';
import { type AddressKind, addressKind, CODE_MINUTES, toCode } from '../rules/sign-in.ts';
import { hashAddress } from './hash-email-or-phone.ts';

/** Names no tutor or child: the address may have been mistyped. */
function codeEmail(code: string, isNewAddress: boolean): EmailContent {
  const paragraphs = [
    'Hi,',
    isNewAddress
      ? 'Here is your code to confirm this email address in the family portal:'
      : 'Here is your code to sign in to the family portal:',
    `It works for ${CODE_MINUTES} minutes, in the browser where you asked for it.`,
  ];
  const afterButton = ["If you didn't ask for this, you can ignore this email."];
  return {
    subject: `${code} is your code for the family portal`,
    paragraphs,
    figure: code,
    afterButton,
    closing: ['Lessonbook'],
    // The figure is not part of the plain text.
    plainText: [...paragraphs.toSpliced(2, 0, code), ...afterButton, 'Lessonbook'].join('\n\n'),
  };
}

const newLoginEmail = (origin: string, device: string, kind: AddressKind): EmailContent => ({
  subject: 'New sign-in to the family portal',
  paragraphs: [
    'Hi,',
    `Someone signed in to the family portal with ${kind === 'email' ? 'this email address' : 'your phone number'}, using ${device}.`,
    `If that was you, there's nothing to do. If it wasn't, sign in${kind === 'email' ? '' : ' with your phone number'}, go to Details and sign that browser out. Please let your tutor know, too.`,
  ],
  button: { label: 'Open the family portal', url: `${origin}/family` },
  closing: ['Lessonbook'],
});

/** Does not contain the new address: the mailbox may be someone else's. */
const emailChangedNotice = (isStillUsed: boolean): EmailContent => ({
  subject: 'Your email address for the family portal was changed',
  paragraphs: [
    'Hi,',
    isStillUsed
      ? 'The email address you use for the family portal was changed for some of your lessons. Emails about those now go to the new address. You can still sign in with this one to see the others.'
      : "The email address you use for the family portal was changed. Emails about lessons now go to the new address, and this one can't be used to sign in any more.",
    "If you changed it, there's nothing to do. If you didn't, please let your tutor know straight away.",
  ],
  closing: ['Lessonbook'],
});

/** For running text: 'Safari on iPhone' or 'an unknown browser' */
const describeBrowser = (userAgent: string): string => {
  const device = describeUserAgent(userAgent);
  return device === UNKNOWN_BROWSER ? 'an unknown browser' : device;
};

/** The same for each attempt to send the email; it cannot be derived from the database without the key. */
export const deriveCode = (key: Buffer, codeId: string): string =>
  toCode(Buffer.from(deriveToken(key, 'portal-code', codeId), 'base64url'));

export async function sendCodeEmail(context: Context, codeId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const code = await findUnsentCode(db.global, codeId);
  if (!code || code.expiresAt <= clock.now()) return;
  await mailer.send({
    kind: 'portal',
    to: { name: '', address: code.address },
    messageId: `portal-code.${code.id}`,
    ...renderEmail(codeEmail(deriveCode(config.secretKey, code.id), code.contactPublicId !== null)),
  });
  await markCodeSent(db.global, code.id, clock.now());
}

/** Sends the notice to the address that was replaced. */
export async function sendEmailChangedNotice(context: Context, codeId: string): Promise<void> {
  const { db, mailer } = context;
  const previous = await findPreviousAddress(db.global, codeId);
  if (!previous?.address) return;
  await mailer.send({
    kind: 'portal',
    to: { name: '', address: previous.address },
    messageId: `portal-email-changed.${codeId}`,
    ...renderEmail(emailChangedNotice(await givesPortalAccess(context, previous.address))),
  });
  await deletePreviousAddress(db.global, codeId);
}

/** Whether an address still gives access to the portal of any tutor. */
async function givesPortalAccess({ db, clock }: Context, address: string): Promise<boolean> {
  const entries = await directoryEntriesByAddress(db.global, hashAddress(address));
  for (const { tutorId, contactId } of entries) {
    const [students] = await db.tutorRead(tutorId, (tx) => [
      activeContactAccess(tx, tutorId, contactId, clock.now()),
    ]);
    if (students.length > 0) return true;
  }
  return false;
}

/** A message that was sent by an attempt whose response was lost is sent again, with the same code. */
export async function sendCodeWhatsApp(context: Context, codeId: string): Promise<void> {
  const { db, clock, config } = context;
  const row = await findUnsentCode(db.global, codeId);
  if (!row || row.expiresAt <= clock.now()) return;
  const code = deriveCode(config.secretKey, row.id);
  await sendSignInCode(context, { phone: row.address, code, reference: row.id });
  await markCodeSent(db.global, row.id, clock.now());
}

/** Not sent if the login has ended in the meantime. A login with a phone number is reported to the email addresses on file. */
export async function sendNewLoginEmail(context: Context, loginId: string): Promise<void> {
  const { db, clock, mailer, config } = context;
  const login = await findUnnotifiedLogin(db.global, loginId);
  if (!login) return;
  const { address, addressHash, userAgent } = login;
  const kind = addressKind(address);
  const content = newLoginEmail(config.origin, describeBrowser(userAgent), kind);
  const recipients = kind === 'email' ? [address] : await emailsOnFile(context, addressHash);
  for (const recipient of recipients)
    await mailer.send({
      kind: 'portal',
      to: { name: '', address: recipient },
      messageId: `portal-login.${loginId}`,
      ...renderEmail(content),
    });
  await markLoginNotified(db.global, loginId, clock.now());
}

/**
 * The email addresses of the contacts that a login with this phone number gives access to. Tutors may have different
 * ones.
 */
async function emailsOnFile({ db, clock }: Context, addressHash: Buffer): Promise<string[]> {
  const emails = new Map<string, string>();
  for (const { tutorId, contactId } of await directoryEntriesByAddress(db.global, addressHash)) {
    const [students, [contact]] = await db.tutorRead(tutorId, (tx) => [
      activeContactAccess(tx, tutorId, contactId, clock.now()),
      contactEmail(tx, tutorId, contactId),
    ]);
    if (students.length > 0 && contact?.email)
      emails.set(contact.email.toLowerCase(), contact.email);
  }
  return [...emails.values()];
}
