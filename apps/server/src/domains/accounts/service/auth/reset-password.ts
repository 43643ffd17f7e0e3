import type { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { CookieValue } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { withMinDuration } from '../../../../platform/min-duration.ts';
import {
  findAccount,
  lockDirectoryEntry,
  setPasswordHash,
  setVerifiedEmail,
} from '../../queries/tutor-accounts.ts';
import { untrustedFactorCutoff } from '../../rules/expirations.ts';
import { isEmail, normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, tokenExpiredError, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-email.ts';
import {
  correctPasswordByAccount,
  emailTokenByNetwork,
  loginByAccount,
  resetByAccount,
  resetByNetwork,
} from '../rate-limits.ts';
import { hashNewPasswordForTutor } from './hash-new-password.ts';
import { revokeAccess } from './revoke-access.ts';
import { trustDevice } from './trusted-devices.ts';

/** Longer than either path takes, so that the response time does not reveal whether an account exists. */
const MIN_RESPONSE_MS = 250;

/** The response never reveals whether the account exists. */
export async function forgotPassword(
  context: Context,
  input: ForgotPasswordInput,
  requestContext: RequestContext,
): Promise<void> {
  const { db, limiter } = context;
  await limiter.consume(resetByNetwork, requestContext.network);
  await withMinDuration(MIN_RESPONSE_MS, async () => {
    const key = normalizeLogin(input.account);
    await limiter.consume(resetByAccount, sha256(key).toString('base64url'));
    const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
    if (!account || account.isDemo) return;
    const { tutorId, email } = account;
    // Global tables only: an unauthenticated request must not increase the tutor's revision.
    await db.globalTransaction((tx) =>
      issueEmailToken(context, tx, { tutorId, purpose: 'reset-password', email }),
    );
  });
}

/** Also revokes all other access to the account (see revokeAccess). Returns the cookie that makes this browser trusted. */
export async function resetPassword(
  context: Context,
  input: ResetPasswordInput,
  requestContext: RequestContext,
): Promise<CookieValue> {
  const { clock, limiter } = context;
  await limiter.consume(emailTokenByNetwork, requestContext.network);
  return withEmailToken(context, 'reset-password', input.token, async (tx, { tutorId, email }) => {
    const entry = await lockDirectoryEntry(tx, tutorId);
    const now = clock.now();
    // The address has changed since the link was sent, so the old mailbox no longer proves ownership.
    if (normalizeLogin(entry.email) !== normalizeLogin(email)) throw tokenExpiredError();
    await setPasswordHash(tx, tutorId, await hashNewPasswordForTutor(tx, tutorId, input.password));
    await revokeAccess(tx, tutorId, {
      now,
      factorsSince: untrustedFactorCutoff(entry.emailVerifiedAt, now),
    });
    await recordAudit(tx, tutorId, { action: 'password_reset', at: now });
    // Following the link proves ownership of the address, so mark it as verified.
    if (!entry.emailVerifiedAt)
      await setVerifiedEmail(tx, tutorId, entry.email, normalizeLogin(entry.email), now);
    await notifyOwner(context, tx, tutorId, 'password-changed');
    // Wrong passwords that someone else tried must not keep the owner out.
    await limiter.clear(tx, loginByAccount, tutorId);
    await limiter.clear(tx, correctPasswordByAccount, tutorId);
    return trustDevice(context, tutorId, requestContext);
  });
}
