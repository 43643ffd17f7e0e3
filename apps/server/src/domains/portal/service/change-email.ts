import type {
  PortalContactDetails,
  PortalEmailInput,
} from '@lessonbook/contract/portal-contact-details';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, secretsMatch, sha256 } from '../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import type { Contact, ContactLogin } from '../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import { assertEmailIsFree } from '../../students/service/student-contacts.ts';
import { PORTAL_CODE_EMAIL_JOB, PORTAL_EMAIL_CHANGED_JOB } from '../job-types.ts';
import {
  directoryEntriesByAddress,
  updatePortalLoginAddress,
} from '../queries/contact-directory-and-portal-logins.ts';
import { consumeCodeAttempt, insertCode, markCodeUsed } from '../queries/portal-codes.ts';
import { addressKind, CODE_ATTEMPTS, codeExpiresAt } from '../rules/sign-in.ts';
import { findContact } from './find-signed-in-contact.ts';
import { hashAddress } from './hash-email-or-phone.ts';
import {
  authoriseContact,
  changeOwnEmailOrPhone,
  readPortalDetails,
} from './own-contact-details.ts';
import {
  codeByAddress,
  codeByNetwork,
  emailChangesByContact,
  signInByNetwork,
} from './rate-limits.ts';
import { wrongCodeError } from './sign-in.ts';
import { deriveCode } from './sign-in-codes-and-login-notices.ts';

/** A contact with the public id by which the request names them. */
type NamedContact = Contact & { publicId: string };

/** How long the owner of the old address can be informed. */
const NOTICE_DAYS = 2;

/** Sends a code to the new address. Whether another contact has it is not looked up, so the response cannot reveal it. */
export async function requestEmailCode(
  context: Context,
  contact: NamedContact,
  email: string,
  { network }: RequestContext,
): Promise<{ requestId: string }> {
  const { db, clock, limiter, queue } = context;
  const { tutorId, contactId, publicId, loginId } = contact;
  await limiter.consume(codeByNetwork, network);
  await limiter.consume(emailChangesByContact, `${tutorId} ${contactId}`);
  await limiter.consume(codeByAddress, hashAddress(email).toString('base64url'));
  const now = clock.now();
  const id = uuidV7(now);
  const requestId = randomToken();
  await db.tutorTransaction(tutorId, async (tx) => {
    const own = await authoriseContact(tx, contact);
    if (own.email?.toLowerCase() === email.toLowerCase()) throw alreadyOnFileError();
    const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
    // The address may belong to anyone, so unconfirmed tutors and the demo account must not cause emails to it.
    if (!emailVerified || isDemo) throw cannotSendError();
    await insertCode(tx, {
      id,
      requestHash: sha256(requestId),
      address: email,
      isKnown: true,
      attempts: CODE_ATTEMPTS,
      now,
      expiresAt: codeExpiresAt(now),
      change: { publicId, loginId },
    });
    await queue.enqueue(tx, PORTAL_CODE_EMAIL_JOB, { codeId: id });
  });
  return { requestId };
}

function alreadyOnFileError(): AppError {
  const message = 'This is already your email address';
  return new AppError('invalid', message, { fields: { email: message } });
}

const cannotSendError = (): AppError =>
  new AppError(
    'conflict',
    "We can't confirm a new address at the moment. Please ask your tutor to change it for you.",
  );

/**
 * Idempotent: the same code for the same change succeeds again. The other tutors come first, so that a request that was
 * interrupted can be repeated until the code is used.
 */
export async function changePortalEmail(
  context: Context,
  login: ContactLogin,
  contact: NamedContact,
  input: PortalEmailInput,
  { network }: RequestContext,
): Promise<PortalContactDetails> {
  await context.limiter.consume(signInByNetwork, network);
  const code = await proveCode(context, contact, input);
  if (!code) throw wrongCodeError();
  const { address: email } = code;
  const isSignInAddress = addressKind(login.address) === 'email';
  const others =
    input.atAllTutors && isSignInAddress ? await otherTutors(context, login, contact) : [];
  for (const { tutorId, contactId } of [contact, ...others])
    await context.db.tutorSnapshot(tutorId, (tx) =>
      assertEmailIsFree(tx, tutorId, contactId, email),
    );
  for (const other of others)
    await context.db.tutorTransaction(other.tutorId, async (tx) => {
      await authoriseContact(tx, other);
      await changeOwnEmailOrPhone(context, tx, other, { email });
    });
  const now = context.clock.now();
  await context.db.tutorTransaction(contact.tutorId, async (tx) => {
    const { email: previousAddress } = await authoriseContact(tx, contact);
    const keepUntil = add24HourDays(now, NOTICE_DAYS);
    if (!(await markCodeUsed(tx, code.id, { now, previousAddress, keepUntil }))) {
      // The code has been used, so only a repetition of the same change succeeds.
      if (previousAddress?.toLowerCase() !== email.toLowerCase()) throw wrongCodeError();
      return;
    }
    await changeOwnEmailOrPhone(context, tx, contact, { email });
    if (isSignInAddress)
      await updatePortalLoginAddress(tx, login.id, {
        address: email,
        addressHash: hashAddress(email),
      });
    if (previousAddress)
      await context.queue.enqueue(tx, PORTAL_EMAIL_CHANGED_JOB, { codeId: code.id });
  });
  return readPortalDetails(context, login, contact);
}

/** A wrong code counts as an attempt. */
const proveCode = (
  { db, clock, config }: Context,
  { publicId, loginId }: NamedContact,
  { requestId, code: typed }: PortalEmailInput,
): Promise<{ id: string; address: string } | null> =>
  db.globalTransaction(async (tx) => {
    const change = { publicId, loginId };
    const code = await consumeCodeAttempt(tx, sha256(requestId), clock.now(), change);
    return code && secretsMatch(typed, deriveCode(config.secretKey, code.id)) ? code : null;
  });

/** The person as a contact of the other tutors who have the login's address on file. */
async function otherTutors(
  context: Context,
  login: ContactLogin,
  { tutorId }: Contact,
): Promise<Contact[]> {
  const entries = await directoryEntriesByAddress(context.db.global, login.addressHash);
  const byTutor = Map.groupBy(entries, (entry) => entry.tutorId);
  const others: Contact[] = [];
  for (const [otherId, [entry, ...shared]] of byTutor) {
    // If several contacts have this address, it is unknown which of them the person is.
    if (otherId === tutorId || !entry || shared.length > 0) continue;
    const other = await findContact(context, login, entry.publicId);
    if (other) others.push(other);
  }
  return others;
}
