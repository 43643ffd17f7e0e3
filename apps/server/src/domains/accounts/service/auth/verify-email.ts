import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import {
  directoryEntry,
  lockDirectoryEntry,
  setVerifiedEmail,
} from '../../queries/tutor-accounts.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-email.ts';
import { emailTokenByNetwork, verificationEmailByTutor } from '../rate-limits.ts';
import { offerEmailRevert } from './revert-email.ts';
import { rejectReservedEmail, toUniquenessError } from './uniqueness-errors.ts';

/** Sends the email to the pending new address if there is one, otherwise to the unverified address. */
export async function resendVerification(context: Context, tutorId: string): Promise<void> {
  const { db, limiter } = context;
  await limiter.consume(verificationEmailByTutor, tutorId);
  await db.tutorTransaction(tutorId, async (tx) => {
    const entry = await directoryEntry(tx, tutorId).executeTakeFirstOrThrow();
    if (entry.emailVerifiedAt && !entry.pendingEmail) return;
    await issueEmailToken(context, tx, {
      tutorId,
      purpose: 'verify-email',
      email: entry.pendingEmail ?? entry.email,
    });
  });
}

/** Sets the tutor's verified address to the address stored with the token. */
export async function confirmEmail(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ email: string }> {
  const { clock, limiter } = context;
  await limiter.consume(emailTokenByNetwork, requestContext.network);
  try {
    return await withEmailToken(context, 'verify-email', token, async (tx, { tutorId, email }) => {
      const previous = await lockDirectoryEntry(tx, tutorId);
      await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), clock.now());
      await rejectReservedEmail(context, tx, email, tutorId);
      const isChanged = normalizeLogin(previous.email) !== normalizeLogin(email);
      if (isChanged && previous.emailVerifiedAt) {
        // Notify both addresses, so that an attacker cannot hide the change from the owner.
        await offerEmailRevert(context, tx, tutorId, { from: previous.email, to: email });
        await notifyOwner(context, tx, tutorId, 'email-changed');
        await revokeEmailTokens(tx, tutorId, 'reset-password', clock.now());
      }
      if (isChanged) await recordAudit(tx, tutorId, { action: 'email_changed', at: clock.now() });
      return { email };
    });
  } catch (error) {
    throw toUniquenessError(error);
  }
}
