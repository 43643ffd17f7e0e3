import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { directoryEntry, lockDirectoryEntry, setVerifiedEmail } from '../../queries/tutors.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, withEmailToken } from '../email/email-tokens.ts';
import { notifyOwner } from '../email/security-notifications.ts';
import { emailTokenByNetwork, verificationEmailByTutor } from '../rate-limits.ts';
import { toUniquenessError } from './uniqueness-errors.ts';

/** Sends the mail again, to the address that still waits: the changed one before the first one. */
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

/** The address that the link was mailed to becomes the tutor's address, proven. */
export async function confirmEmail(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ email: string }> {
  const { clock, limiter } = context;
  await limiter.consume(emailTokenByNetwork, requestContext.network);
  try {
    return await withEmailToken(context, 'verify-email', token, async (tx, { tutorId, email }) => {
      const before = await lockDirectoryEntry(tx, tutorId);
      await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), clock.now());
      if (before.emailVerifiedAt && normalizeLogin(before.email) !== normalizeLogin(email)) {
        // To both: whoever lost the old mailbox hears of it there last, whoever stole the account cannot keep it quiet.
        await notifyOwner(context, tx, tutorId, 'email-changed', { email: before.email });
        await notifyOwner(context, tx, tutorId, 'email-changed');
        await revokeEmailTokens(tx, tutorId, 'reset-password', clock.now());
      }
      if (normalizeLogin(before.email) !== normalizeLogin(email))
        await recordAudit(tx, tutorId, { act: 'email_changed', at: clock.now() });
      return { email };
    });
  } catch (error) {
    throw toUniquenessError(error);
  }
}
