import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import { revokeEmailTokens } from '../../queries/email-tokens.ts';
import { deleteIdentities } from '../../queries/identities.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import {
  invalidateTrustedDevices,
  setAccessReviewRequestedAt,
  setPendingEmail,
} from '../../queries/tutor-accounts.ts';
import { removeFactorsAddedSince } from '../mfa/mfa-factors.ts';

/**
 * Revokes access for everyone who may have used the account, and asks the tutor, at the next login, to review what an
 * intruder may have changed. Google is unlinked too: an attacker who signed up with another person's address, or linked
 * their own Google account using a stolen password, must lose access. The owner's Google account is linked again at the
 * next sign-in. The caller holds the lock on the directory entry, so concurrent logins wait and then see the change.
 */
export async function revokeAccess(
  tx: Tx,
  tutorId: string,
  { now, factorsSince }: { now: Date; factorsSince: Date },
): Promise<void> {
  await deleteIdentities(tx, tutorId);
  await deleteAllLogins(tx, tutorId);
  await deleteMfaChallenges(tx, tutorId);
  await invalidateTrustedDevices(tx, tutorId, now);
  await removeFactorsAddedSince(tx, tutorId, factorsSince);
  // Cancel any pending email change, which an attacker may have requested while logged in.
  await setPendingEmail(tx, tutorId, null);
  await revokeEmailTokens(tx, tutorId, 'verify-email', now);
  await setAccessReviewRequestedAt(tx, tutorId, now);
}

export async function completeAccessReview(context: Context, { tutorId }: Login): Promise<void> {
  await context.db.tutorTransaction(tutorId, (tx) => setAccessReviewRequestedAt(tx, tutorId, null));
}
