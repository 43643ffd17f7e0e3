import type {
  PortalCodeInput,
  PortalLogin,
  PortalSignInInput,
  PortalSignInOptions,
} from '@lessonbook/contract/portal';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, secretsMatch, sha256 } from '../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import type { CookieValue } from '../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { withMinDuration } from '../../../platform/min-duration.ts';
import { toTutorContact, tutorContactQueries } from '../../accounts/service/profile/read-tutor.ts';
import { parsePhone } from '../../students/service/students.ts';
import {
  PORTAL_CODE_EMAIL_JOB,
  PORTAL_CODE_WHATSAPP_JOB,
  PORTAL_LOGIN_EMAIL_JOB,
} from '../job-types.ts';
import { activeContactAccess } from '../queries/contact-access.ts';
import {
  deleteExpiredPortalRecords,
  deleteLeastRecentPortalLogins,
  deletePortalLogin,
  directoryEntriesByAddress,
  findPortalLoginByToken,
  insertPortalLogin,
  type PortalLoginRow,
} from '../queries/contact-directory-and-portal-logins.ts';
import { consumeCodeAttempt, deleteCode, insertCode } from '../queries/portal-codes.ts';
import {
  addressKind,
  CODE_ATTEMPTS,
  codeExpiresAt,
  maySendWhatsApp,
  portalLoginExpiry,
} from '../rules/sign-in.ts';
import { hashAddress } from './hash-email-or-phone.ts';
import { codeByAddress, codeByNetwork, signInByNetwork } from './rate-limits.ts';
import { readPortalLogin } from './read-portal-login.ts';
import { deriveCode } from './sign-in-codes-and-login-notices.ts';

/** Longer than either path takes, so that the response time does not reveal whether the address is known. */
const MIN_RESPONSE_MS = 250;

/** More browsers than a person uses; without a limit, a script could fill the table. */
const MAX_LOGINS = 30;

const WRONG_CODE = "That code isn't right or no longer works. Check it, or send a new code.";

export const wrongCodeError = (): AppError =>
  new AppError('invalid', WRONG_CODE, { fields: { code: WRONG_CODE } });

export const readSignInOptions = ({ whatsApp }: Context): PortalSignInOptions => ({
  hasWhatsApp: whatsApp !== null,
});

/** The email address, or the phone number in E.164 format. Does not reveal whether it is on file. */
function toAddress({ whatsApp }: Context, typed: string): string {
  if (addressKind(typed) === 'email') return typed;
  const result = parseNumber(typed, whatsApp !== null);
  if ('number' in result) return result.number;
  const { problem } = result;
  throw new AppError('invalid', problem, { fields: { address: problem } });
}

/** A string without a digit may be meant as either kind of address. */
function parseNumber(typed: string, hasWhatsApp: boolean): ReturnType<typeof parsePhone> {
  if (!/\d/.test(typed))
    return {
      problem: `Please enter a valid email address${hasWhatsApp ? ' or phone number' : ''}`,
    };
  return hasWhatsApp ? parsePhone(typed) : { problem: EMAIL_ONLY };
}

const EMAIL_ONLY = "We can't send codes to phone numbers. Please enter your email address.";

/** The response is the same whether or not the address is known. */
export async function requestCode(
  context: Context,
  { address: typed }: PortalCodeInput,
  requestContext: RequestContext,
): Promise<{ requestId: string }> {
  const { db, clock, limiter, queue } = context;
  await limiter.consume(codeByNetwork, requestContext.network);
  const address = toAddress(context, typed);
  const isPhone = addressKind(address) === 'phone';
  return withMinDuration(MIN_RESPONSE_MS, async () => {
    const addressHash = hashAddress(address);
    await limiter.consume(codeByAddress, addressHash.toString('base64url'));
    const isKnown = await hasOpenPortal(context, addressHash, isPhone);
    const now = clock.now();
    const id = uuidV7(now);
    const requestId = randomToken();
    await db.globalTransaction(async (tx) => {
      await insertCode(tx, {
        id,
        requestHash: sha256(requestId),
        address,
        isKnown,
        attempts: CODE_ATTEMPTS,
        now,
        expiresAt: codeExpiresAt(now),
      });
      const job = isPhone ? PORTAL_CODE_WHATSAPP_JOB : PORTAL_CODE_EMAIL_JOB;
      if (isKnown) await queue.enqueue(tx, job, { codeId: id });
    });
    return { requestId };
  });
}

/**
 * Whether codes may be sent to an address: a tutor who has it on file has opened the portal and, for a phone number, may
 * cause WhatsApp messages.
 */
async function hasOpenPortal(
  context: Context,
  addressHash: Buffer,
  isPhone: boolean,
): Promise<boolean> {
  const { db, clock } = context;
  for (const { tutorId, contactId } of await directoryEntriesByAddress(db.global, addressHash)) {
    const [students, [tutor], [entry]] = await db.tutorRead(tutorId, (tx) => [
      activeContactAccess(tx, tutorId, contactId, clock.now()),
      ...tutorContactQueries(tx, tutorId),
    ]);
    if (students.length === 0) continue;
    if (!isPhone || maySendWhatsApp(toTutorContact(tutor, entry))) return true;
  }
  return false;
}

/** A code works once, and only with its request id, which was returned only to the browser that asked for it. */
export async function signIn(
  context: Context,
  input: PortalSignInInput,
  requestContext: RequestContext,
  previousToken: string,
): Promise<{ login: PortalLogin; cookie: CookieValue }> {
  const { db, clock, limiter, config, queue } = context;
  await limiter.consume(signInByNetwork, requestContext.network);
  const now = clock.now();
  const token = randomToken(32);
  const expiresAt = portalLoginExpiry(input.isSharedDevice, now);
  const created = await db.globalTransaction(async (tx): Promise<PortalLoginRow | null> => {
    const code = await consumeCodeAttempt(tx, sha256(input.requestId), now);
    // Returning commits the attempt; throwing would undo it.
    if (!code?.isKnown || !secretsMatch(input.code, deriveCode(config.secretKey, code.id)))
      return null;
    await deleteCode(tx, code.id);
    const login: PortalLoginRow = {
      loginId: randomToken(),
      tokenHash: sha256(token),
      addressHash: hashAddress(code.address),
      address: code.address,
      isSharedDevice: input.isSharedDevice,
      userAgent: requestContext.userAgent,
      createdAt: now,
      lastSeenAt: now,
    };
    // The new cookie replaces the browser's previous token.
    const previous =
      previousToken === ''
        ? undefined
        : await findPortalLoginByToken(tx, sha256(previousToken), now);
    if (previous) await deletePortalLogin(tx, previous.addressHash, previous.loginId);
    await insertPortalLogin(tx, { ...login, expiresAt });
    await deleteLeastRecentPortalLogins(tx, login.addressHash, MAX_LOGINS);
    await queue.enqueue(tx, PORTAL_LOGIN_EMAIL_JOB, { loginId: login.loginId });
    return login;
  });
  if (!created) throw wrongCodeError();
  const { loginId: id, ...rest } = created;
  return {
    login: await readPortalLogin(context, { id, ...rest }, requestContext),
    cookie: { value: token, expiresAt: input.isSharedDevice ? null : expiresAt },
  };
}

/** Codes and logins that have expired are rejected anyway. */
export const deleteExpiredRecords = ({ db, clock }: Context): Promise<void> =>
  deleteExpiredPortalRecords(db.global, clock.now());
