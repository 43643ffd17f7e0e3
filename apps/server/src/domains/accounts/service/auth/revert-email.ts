import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { revokeEmailTokens, validEmailTokensOf } from '../../queries/email-tokens.ts';
import {
  lockDirectoryEntry,
  setPasswordHash,
  setVerifiedEmail,
} from '../../queries/tutor-accounts.ts';
import { untrustedFactorCutoff } from '../../rules/expirations.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-email.ts';
import { cancelMfaRemoval } from '../mfa/mfa-removal.ts';
import { emailTokenByNetwork } from '../rate-limits.ts';
import { revokeAccess } from './revoke-access.ts';
import { toUniquenessError } from './uniqueness-errors.ts';

/**
 * Called when a verified address has been replaced: the earlier address gets a link to restore it. While such a link is
 * valid, further addresses get no link. Otherwise someone who changes the address twice could undo the restoration.
 */
export async function offerEmailRevert(
  context: Context,
  tx: Tx,
  tutorId: string,
  change: { from: string; to: string },
): Promise<void> {
  const now = context.clock.now();
  const [first] = await validEmailTokensOf(tx, tutorId, 'revert-email', now);
  if (!first) {
    await issueEmailToken(context, tx, { tutorId, purpose: 'revert-email', email: change.from });
    return;
  }
  // The earlier address is in use again, so the next change has to give it a new link.
  const isRestored = normalizeLogin(first.email) === normalizeLogin(change.to);
  if (isRestored) await revokeEmailTokens(tx, tutorId, 'revert-email', now);
  else await notifyOwner(context, tx, tutorId, 'email-changed-again', { address: first.email });
  await notifyOwner(context, tx, tutorId, 'email-replaced', { address: change.from });
}

/**
 * Restores the address stored with the token and revokes access for everyone, including the person who changed the
 * address. The password is removed too, because that person may know it.
 */
export async function revertEmail(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ email: string; resetToken: string }> {
  const { clock, limiter } = context;
  await limiter.consume(emailTokenByNetwork, requestContext.network);
  try {
    return await withEmailToken(context, 'revert-email', token, async (tx, tokenDetails) => {
      const { tutorId, email, createdAt } = tokenDetails;
      const now = clock.now();
      const previous = await lockDirectoryEntry(tx, tutorId);
      await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), now);
      await setPasswordHash(tx, tutorId, null);
      // Factors may have been added shortly before the address was changed.
      await revokeAccess(tx, tutorId, {
        now,
        factorsSince: untrustedFactorCutoff(previous.emailVerifiedAt, createdAt),
      });
      if (previous.mfaRemovalDueAt) await cancelMfaRemoval(context, tx, tutorId);
      await recordAudit(tx, tutorId, { action: 'email_reverted', at: now });
      await notifyOwner(context, tx, tutorId, 'email-reverted', { address: previous.email });
      const purpose = 'reset-password';
      return { email, resetToken: await issueEmailToken(context, tx, { tutorId, purpose, email }) };
    });
  } catch (error) {
    throw toUniquenessError(error);
  }
}
