import type { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { withMinDuration } from '../../../../platform/min-duration.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { deleteIdentities } from '../../queries/identities.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import {
  findAccount,
  invalidateTrustedDevices,
  lockDirectoryEntry,
  setPasswordHash,
  setPendingEmail,
  setVerifiedEmail,
} from '../../queries/tutors.ts';
import { untrustedFactorCutoff } from '../../rules/expirations.ts';
import { isEmail, normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-email.ts';
import { removeFactorsAddedSince } from '../mfa/mfa-factors.ts';
import { emailTokenByNetwork, resetByAccount, resetByNetwork } from '../rate-limits.ts';
import { hashNewPasswordForTutor } from './hash-new-password.ts';

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

/** Also revokes all logins and any unused verification links. */
export async function resetPassword(
  context: Context,
  input: ResetPasswordInput,
  requestContext: RequestContext,
): Promise<void> {
  const { clock, limiter } = context;
  await limiter.consume(emailTokenByNetwork, requestContext.network);
  await withEmailToken(context, 'reset-password', input.token, async (tx, { tutorId, email }) => {
    const entry = await lockDirectoryEntry(tx, tutorId);
    const now = clock.now();
    // The address has changed since the link was sent, so the old mailbox no longer proves ownership.
    if (normalizeLogin(entry.email) !== normalizeLogin(email)) {
      throw new AppError('link_expired', 'This link has expired or was already used.');
    }
    await setPasswordHash(tx, tutorId, await hashNewPasswordForTutor(tx, tutorId, input.password));
    // Unlink Google too: an attacker who signed up with another person's address, or linked their own Google account
    // using a stolen password, must lose access. The owner's Google account is linked again at the next sign-in.
    // Concurrent logins wait for the lock and then see the change.
    await deleteIdentities(tx, tutorId);
    await deleteAllLogins(tx, tutorId);
    await deleteMfaChallenges(tx, tutorId);
    await invalidateTrustedDevices(tx, tutorId, now);
    await removeFactorsAddedSince(tx, tutorId, untrustedFactorCutoff(entry.emailVerifiedAt, now));
    await recordAudit(tx, tutorId, { action: 'password_reset', at: now });
    // Cancel any pending email change, which an attacker may have requested while logged in.
    await setPendingEmail(tx, tutorId, null);
    await revokeEmailTokens(tx, tutorId, 'verify-email', now);
    // Following the link proves ownership of the address, so mark it as verified.
    if (!entry.emailVerifiedAt)
      await setVerifiedEmail(tx, tutorId, entry.email, normalizeLogin(entry.email), now);
    await notifyOwner(context, tx, tutorId, 'password-changed');
  });
}
