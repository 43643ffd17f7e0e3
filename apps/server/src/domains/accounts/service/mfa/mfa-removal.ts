import type { ForgotPasswordInput } from '@lessonbook/contract/accounts';
import type { Context } from '../../../../context.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { Login } from '../../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { withMinDuration } from '../../../../platform/min-duration.ts';
import { forEachDueTutor } from '../../../../platform/queue/for-each-due-tutor.ts';
import {
  completeWork,
  lockScheduledWork,
  scheduleWork,
} from '../../../../platform/queue/tenant-schedule.ts';
import { MFA_REMOVAL_WORK } from '../../job-types.ts';
import { revokeEmailTokens, validEmailTokensOf } from '../../queries/email-tokens.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import { deleteMfaChallenges } from '../../queries/mfa-challenges.ts';
import {
  findAccount,
  invalidateTrustedDevices,
  lockDirectoryEntry,
  setAccessReviewRequestedAt,
  setMfaRemovalDueAt,
} from '../../queries/tutor-accounts.ts';
import { mfaRemovalDueAt } from '../../rules/expirations.ts';
import { isEmail, normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken, tokenExpiredError, withEmailToken } from '../email/email-tokens.ts';
import { listKnownAddresses, notifyKnownAddresses } from '../email/security-email.ts';
import { emailTokenByNetwork, mfaRemovalByAccount, resetByNetwork } from '../rate-limits.ts';
import { hasMfa, removeFactorsAddedSince } from './mfa-factors.ts';

/*
 * The last resort for a tutor who has lost every second factor and the recovery codes. A link in an email starts a
 * waiting time, every known address is notified, and anyone who reads one of these emails or completes a login can
 * cancel. The password is still required afterwards.
 */

/** Longer than any path takes, so that the response time does not reveal whether an account exists. */
const MIN_RESPONSE_MS = 250;

/** The response never reveals whether the account exists or uses two-step login. */
export async function requestMfaRemoval(
  context: Context,
  input: ForgotPasswordInput,
  requestContext: RequestContext,
): Promise<void> {
  const { db, limiter } = context;
  await limiter.consume(resetByNetwork, requestContext.network);
  await withMinDuration(MIN_RESPONSE_MS, async () => {
    const key = normalizeLogin(input.account);
    await limiter.consume(mfaRemovalByAccount, sha256(key).toString('base64url'));
    const account = await findAccount(db.global, isEmail(key) ? 'email_key' : 'username_key', key);
    if (!account?.emailVerifiedAt || account.isDemo) return;
    const { tutorId, email } = account;
    if (!(await db.tutorSnapshot(tutorId, (tx) => hasMfa(tx, tutorId)))) return;
    await db.globalTransaction((tx) =>
      issueEmailToken(context, tx, { tutorId, purpose: 'remove-two-step', email }),
    );
  });
}

/** A second request does not change the time of the first. */
export async function startMfaRemoval(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ removalAt: string }> {
  await context.limiter.consume(emailTokenByNetwork, requestContext.network);
  const removalAt = await withEmailToken(context, 'remove-two-step', token, async (tx, details) => {
    const { tutorId } = details;
    const entry = await lockDirectoryEntry(tx, tutorId);
    // The address has changed since the link was sent, so the old mailbox no longer proves ownership.
    if (normalizeLogin(entry.email) !== normalizeLogin(details.email)) throw tokenExpiredError();
    if (entry.mfaRemovalDueAt) return entry.mfaRemovalDueAt;
    if (!(await hasMfa(tx, tutorId))) throw tokenExpiredError();
    const now = context.clock.now();
    const dueAt = mfaRemovalDueAt(now);
    await setMfaRemovalDueAt(tx, tutorId, dueAt);
    await scheduleWork(tx, tutorId, MFA_REMOVAL_WORK, dueAt);
    for (const email of await listKnownAddresses(context, tx, tutorId))
      await issueEmailToken(context, tx, { tutorId, purpose: 'keep-two-step', email });
    await recordAudit(tx, tutorId, { action: 'mfa_removal_requested', at: now });
    return dueAt;
  });
  return { removalAt: removalAt.toISOString() };
}

export async function cancelMfaRemovalByLink(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<void> {
  await context.limiter.consume(emailTokenByNetwork, requestContext.network);
  await withEmailToken(context, 'keep-two-step', token, async (tx, { tutorId }) => {
    const { mfaRemovalDueAt: dueAt } = await lockDirectoryEntry(tx, tutorId);
    if (!dueAt || dueAt <= context.clock.now()) throw tokenExpiredError();
    await cancelMfaRemoval(context, tx, tutorId);
  });
}

export async function cancelOwnMfaRemoval(context: Context, { tutorId }: Login): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const { mfaRemovalDueAt: dueAt } = await lockDirectoryEntry(tx, tutorId);
    if (dueAt) await cancelMfaRemoval(context, tx, tutorId);
  });
}

/** The caller holds the lock on the directory entry and has checked that a removal is pending. */
export async function cancelMfaRemoval(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await endMfaRemoval(context, tx, tutorId);
  await recordAudit(tx, tutorId, { action: 'mfa_removal_cancelled', at: context.clock.now() });
  await notifyKnownAddresses(context, tx, tutorId, 'mfa-removal-cancelled');
}

async function endMfaRemoval(context: Context, tx: Tx, tutorId: string): Promise<void> {
  await setMfaRemovalDueAt(tx, tutorId, null);
  for (const purpose of ['remove-two-step', 'keep-two-step'] as const)
    await revokeEmailTokens(tx, tutorId, purpose, context.clock.now());
}

/** Removes two-step login for every tutor whose waiting time is over. */
export const removeDueMfa = (context: Context): Promise<void> =>
  forEachDueTutor(context, MFA_REMOVAL_WORK, (tutorId) => removeOne(context, tutorId));

async function removeOne(context: Context, tutorId: string): Promise<void> {
  const { db, clock } = context;
  await db.tutorTransaction(tutorId, async (tx) => {
    await lockScheduledWork(tx, tutorId, MFA_REMOVAL_WORK);
    const { mfaRemovalDueAt: dueAt } = await lockDirectoryEntry(tx, tutorId);
    const now = clock.now();
    if (dueAt && dueAt <= now) await finishMfaRemoval(context, tx, tutorId, now);
    await completeWork(tx, tutorId, MFA_REMOVAL_WORK, dueAt && dueAt > now ? dueAt : null);
  });
}

async function finishMfaRemoval(
  context: Context,
  tx: Tx,
  tutorId: string,
  now: Date,
): Promise<void> {
  if (!(await hasMfa(tx, tutorId))) return endMfaRemoval(context, tx, tutorId);
  const notices = await validEmailTokensOf(tx, tutorId, 'keep-two-step', now);
  // If a notice was not sent, the owner may not have had the chance to cancel.
  if (notices.length === 0 || notices.some(({ sentAt }) => sentAt === null))
    return cancelMfaRemoval(context, tx, tutorId);
  await endMfaRemoval(context, tx, tutorId);
  await removeFactorsAddedSince(tx, tutorId, new Date(0));
  await deleteAllLogins(tx, tutorId);
  await deleteMfaChallenges(tx, tutorId);
  await invalidateTrustedDevices(tx, tutorId, now);
  await setAccessReviewRequestedAt(tx, tutorId, now);
  await recordAudit(tx, tutorId, { action: 'mfa_removed', at: now });
  await notifyKnownAddresses(context, tx, tutorId, 'mfa-removed');
}
