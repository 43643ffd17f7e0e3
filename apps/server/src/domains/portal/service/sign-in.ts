import type { PortalCodeInput, PortalLogin, PortalSignInInput } from '@lessonbook/contract/portal';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken, secretsMatch, sha256 } from '../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import type { CookieValue } from '../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { withMinDuration } from '../../../platform/min-duration.ts';
import { PORTAL_CODE_EMAIL_JOB, PORTAL_LOGIN_EMAIL_JOB } from '../job-types.ts';
import { activeAccess } from '../queries/contact-logins.ts';
import {
  consumeCodeAttempt,
  deleteCode,
  deleteExpiredPortalRecords,
  deleteLeastRecentPortalLogins,
  deletePortalLogin,
  directoryEntriesByAddress,
  findPortalLoginByToken,
  insertCode,
  insertPortalLogin,
  type PortalLoginRow,
} from '../queries/sign-in.ts';
import { CODE_ATTEMPTS, codeExpiry, portalLoginExpiry } from '../rules/sign-in.ts';
import { readPortalLogin } from './contact-login.ts';
import { deriveCode } from './portal-email.ts';
import { codeByAddress, codeByNetwork, signInByNetwork } from './rate-limits.ts';

/** Longer than either path takes, so that the response time does not reveal whether the address is known. */
const MIN_RESPONSE_MS = 250;

/** More browsers than a person uses; without a limit, a script could fill the table. */
const MAX_LOGINS = 30;

const WRONG_CODE = "That code isn't right or no longer works. Check it, or send a new code.";

/** As the trigger of `contacts` computes it. */
const hashAddress = (email: string): Buffer => sha256(email.trim().toLowerCase());

/** The response is the same whether or not the address is known. */
export async function requestCode(
  context: Context,
  { email }: PortalCodeInput,
  requestContext: RequestContext,
): Promise<{ requestId: string }> {
  const { db, clock, limiter, queue } = context;
  await limiter.consume(codeByNetwork, requestContext.network);
  return withMinDuration(MIN_RESPONSE_MS, async () => {
    const addressHash = hashAddress(email);
    await limiter.consume(codeByAddress, addressHash.toString('base64url'));
    const isKnown = await hasOpenPortal(context, addressHash);
    const now = clock.now();
    const id = uuidV7(now);
    const requestId = randomToken();
    await db.globalTransaction(async (tx) => {
      await insertCode(tx, {
        id,
        requestHash: sha256(requestId),
        email,
        isKnown,
        attempts: CODE_ATTEMPTS,
        now,
        expiresAt: codeExpiry(now),
      });
      if (isKnown) await queue.enqueue(tx, PORTAL_CODE_EMAIL_JOB, { codeId: id });
    });
    return { requestId };
  });
}

/** Nothing is sent to an address unless a tutor who has it on file has opened the portal. */
async function hasOpenPortal(context: Context, addressHash: Buffer): Promise<boolean> {
  const { db } = context;
  for (const { tutorId, contactId } of await directoryEntriesByAddress(db.global, addressHash)) {
    const [students] = await db.tutorRead(tutorId, (tx) => [activeAccess(tx, tutorId, contactId)]);
    if (students.length > 0) return true;
  }
  return false;
}

/** A code works once, and only in the browser that asked for it. */
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
      addressHash: hashAddress(code.email),
      email: code.email,
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
  if (!created) throw new AppError('invalid', WRONG_CODE, { fields: { code: WRONG_CODE } });
  const { loginId: id, ...rest } = created;
  return {
    login: await readPortalLogin(context, { id, ...rest }, requestContext),
    cookie: { value: token, expiresAt: input.isSharedDevice ? null : expiresAt },
  };
}

/** Codes and logins that have expired are rejected anyway. */
export const deleteExpiredRecords = ({ db, clock }: Context): Promise<void> =>
  deleteExpiredPortalRecords(db.global, clock.now());
