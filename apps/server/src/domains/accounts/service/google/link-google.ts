import type { LinkGoogleInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { recordAudit } from '../../../../platform/audit-log.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { GOOGLE_LINKED_EMAIL_JOB } from '../../job-types.ts';
import { insertIdentity } from '../../queries/identities.ts';
import { deleteAllLogins } from '../../queries/logins.ts';
import {
  consumePendingIdentity,
  findPendingIdentity,
  type PendingGoogleIdentity,
  type PendingIdentityPurpose,
} from '../../queries/pending-google-sign-ins.ts';
import {
  findAccountByEmail,
  lockDirectoryEntry,
  setVerifiedEmail,
} from '../../queries/tutor-accounts.ts';
import { decideLinking, isGoogleAuthoritative } from '../../rules/account-linking.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import {
  createMfaChallenge,
  type LoginOutcome,
  type LoginResult,
  toLoginResult,
} from '../auth/complete-login.ts';
import { createLogin } from '../auth/create-login.ts';
import { verifyLoginPassword } from '../auth/verify-login-password.ts';
import { hasMfa } from '../mfa/mfa-factors.ts';
import { googleByNetwork } from '../rate-limits.ts';

/** Links a Google account, logs out all browsers and notifies the owner by email. */
export async function linkIdentity(
  context: Context,
  tx: Tx,
  tutorId: string,
  subject: string,
): Promise<void> {
  const now = context.clock.now();
  const identityId = uuidV7(now);
  await insertIdentity(tx, { id: identityId, subject, tutorId, now, ownerNotifiedAt: null });
  await deleteAllLogins(tx, tutorId);
  await recordAudit(tx, tutorId, { action: 'google_linked', at: now });
  await context.queue.enqueue(tx, GOOGLE_LINKED_EMAIL_JOB, { tutorId, identityId });
}

export const googleSignInExpiredError = () =>
  new AppError('link_expired', 'Your sign-in with Google has expired. Please try again.');

function wrongPasswordError(): AppError {
  const message = "That isn't the password for this account";
  return new AppError('unauthenticated', message, { fields: { password: message } });
}

interface LinkRequest {
  tutorId: string;
  identity: PendingGoogleIdentity;
  purpose: PendingIdentityPurpose;
  requestContext: RequestContext;
}

/** Links Google and logs in. If there is a second factor, links only once that factor has been verified. */
export async function linkGoogleAndLogIn(
  context: Context,
  tx: Tx,
  { tutorId, identity, purpose, requestContext }: LinkRequest,
): Promise<LoginOutcome> {
  await lockDirectoryEntry(tx, tutorId);
  if (!(await consumePendingIdentity(tx, identity.id, purpose))) throw googleSignInExpiredError();
  if (await hasMfa(tx, tutorId))
    return { mfaChallenge: await createMfaChallenge(context, tx, tutorId, identity.subject) };
  await linkIdentity(context, tx, tutorId, identity.subject);
  return { login: await createLogin(context, tx, tutorId, requestContext, 'password') };
}

/**
 * Links the account with the same email address after checking its password. Attempts share the rate limits for
 * logins. The response for an account without a password takes as long as the response for a wrong password.
 */
export async function linkGoogleWithPassword(
  context: Context,
  input: LinkGoogleInput,
  browserToken: string,
  requestContext: RequestContext,
): Promise<LoginResult> {
  const { db, clock, limiter } = context;
  await limiter.consume(googleByNetwork, requestContext.network);
  const now = clock.now();
  const hashes = [sha256(input.credential), sha256(browserToken)] as const;
  const identity = await findPendingIdentity(db.global, 'link', ...hashes, now);
  if (!identity?.email) throw googleSignInExpiredError();
  const { email } = identity;
  const found = await findAccountByEmail(db.global, normalizeLogin(email));
  const attempt = {
    account: found,
    key: normalizeLogin(email),
    password: input.password,
    requestContext,
  };
  if (!(await verifyLoginPassword(context, attempt)) || !found) throw wrongPasswordError();
  const profile = { ...identity, email };
  const { tutorId } = found;
  const outcome = await db
    .tutorTransaction(tutorId, async (tx) => {
      const account = await findAccountByEmail(tx, normalizeLogin(email));
      // Check again under the tutor's lock, because the password may have changed in the meantime.
      const isUnchanged =
        account?.tutorId === tutorId && account.passwordHash === found.passwordHash;
      if (!isUnchanged || decideLinking(profile, account) === 'never') throw wrongPasswordError();
      if (!account.emailVerifiedAt && isGoogleAuthoritative(profile))
        await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), now);
      return linkGoogleAndLogIn(context, tx, {
        tutorId,
        identity,
        purpose: 'link',
        requestContext,
      });
    })
    .catch((error: unknown) => {
      // The Google account was linked to another tutor in the meantime.
      throw violatedConstraint(error) === 'identities_pkey' ? googleSignInExpiredError() : error;
    });
  return toLoginResult(context, tutorId, outcome);
}
