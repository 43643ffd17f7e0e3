import type { ForgotPasswordInput, ResetPasswordInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { withMinDuration } from '../../../../platform/min-duration.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { deleteIdentities } from '../../queries/identities.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import {
  findAccount,
  invalidateTrustedDevices,
  lockDirectoryEntry,
  setPassword,
  setPendingEmail,
  setVerifiedEmail,
} from '../../queries/tutors.ts';
import { untrustedFactorsSince } from '../../rules/expirations.ts';
import { isEmail, normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-notifications.ts';
import { removeFactorsAddedSince } from '../mfa/mfa-factors.ts';
import { emailTokenByNetwork, resetByAccount, resetByNetwork } from '../rate-limits.ts';
import { hashNewPasswordForTutor } from './hash-new-password.ts';

/** Longer than either path takes, so that the time says nothing about who has an account. */
const MIN_RESPONSE_MS = 250;

/** Always the same answer; only the owner of the mailbox learns whether there is an account. */
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
    // Global tables only: a stranger's request must not look like a change of the tutor's book.
    await db.globalTransaction((tx) =>
      issueEmailToken(context, tx, { tutorId, purpose: 'reset-password', email }),
    );
  });
}

/** The new password ends every login and every other open link: whoever was inside is outside now. */
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
    // The address was changed after the link went out: the old mailbox no longer decides.
    if (normalizeLogin(entry.email) !== normalizeLogin(email)) {
      throw new AppError('link_expired', 'This link has expired or was already used.');
    }
    await setPassword(tx, tutorId, await hashNewPasswordForTutor(tx, tutorId, input.password));
    // Google too: whoever made the account with an address of others, or linked theirs with a stolen password, must not
    // keep a door. The owner's own Google is linked again at the next sign-in. Whoever comes in at this moment waits for
    // the entry and then finds it changed.
    await deleteIdentities(tx, tutorId);
    await deleteAllLogins(tx, tutorId);
    await deleteMfaChallenges(tx, tutorId);
    await invalidateTrustedDevices(tx, tutorId, now);
    await removeFactorsAddedSince(tx, tutorId, untrustedFactorsSince(entry.emailVerifiedAt, now));
    await recordAudit(tx, tutorId, { act: 'password_reset', at: now });
    // A thief who was inside may have asked for another address: that change ends here too.
    await setPendingEmail(tx, tutorId, null);
    await revokeEmailTokens(tx, tutorId, 'verify-email', now);
    // Following the link proves the address, which matters for whoever registered someone else's beforehand.
    if (!entry.emailVerifiedAt)
      await setVerifiedEmail(tx, tutorId, entry.email, normalizeLogin(entry.email), now);
    await notifyOwner(context, tx, tutorId, 'password-changed');
  });
}
