import type { SocialAuthInput } from '@lessonbook/contract/google-sign-in';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import { violatedConstraint } from '../../../../platform/db/violated-constraint.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { findTutorByGoogleSubject, insertIdentity } from '../../queries/identities.ts';
import {
  changePurposeToLink,
  consumePendingIdentity,
  findPendingIdentity,
  type PendingGoogleIdentity,
} from '../../queries/pending-google-sign-ins.ts';
import {
  findAccountByEmail,
  findTakenUsernames,
  lockDirectoryEntry,
  setVerifiedEmail,
} from '../../queries/tutor-accounts.ts';
import { decideLinking, isGoogleAuthoritative } from '../../rules/account-linking.ts';
import { pendingLinkExpiry } from '../../rules/expirations.ts';
import { usernameCandidates } from '../../rules/google-sign-up-names.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import {
  completeLogin,
  type LoginOutcome,
  type LoginResult,
  toLoginResult,
} from '../auth/complete-login.ts';
import { createLogin } from '../auth/create-login.ts';
import { createAccount } from '../auth/sign-up.ts';
import { emailTakenError, toUniquenessError } from '../auth/uniqueness-errors.ts';
import { issueEmailToken } from '../email/email-tokens.ts';
import { googleByNetwork, signupByNetwork } from '../rate-limits.ts';
import { googleSignInExpiredError, linkGoogleAndLogIn } from './link-google.ts';

interface GoogleLoginOutcome {
  tutorId: string;
  outcome: LoginOutcome;
}

/** Thrown if the account changed between the decision and the transaction; the login is then retried. */
class ConcurrentChangeError extends Error {}

const MAX_ATTEMPTS = 8;

/**
 * Logs in the Google user whose identity the callback has stored. The name and email address come from that identity;
 * only the credential that selects it and the time zone are taken from the request.
 */
export async function logInWithGoogle(
  context: Context,
  input: SocialAuthInput,
  browserToken: string,
  requestContext: RequestContext,
): Promise<LoginResult> {
  const { db, clock, limiter } = context;
  await limiter.consume(googleByNetwork, requestContext.network);
  const identity = await findPendingIdentity(
    db.global,
    'sign-in',
    sha256(input.credential),
    sha256(browserToken),
    clock.now(),
  );
  if (!identity) throw googleSignInExpiredError();
  const { tutorId, outcome } = await logInOrSignUp(
    context,
    identity,
    input.timeZone,
    requestContext,
  );
  return toLoginResult(context, tutorId, outcome);
}

async function logInOrSignUp(
  context: Context,
  identity: PendingGoogleIdentity,
  timeZone: string | undefined,
  requestContext: RequestContext,
): Promise<GoogleLoginOutcome> {
  for (let attemptsLeft = MAX_ATTEMPTS; ; attemptsLeft -= 1) {
    try {
      return (
        (await logInLinkedTutor(context, identity, requestContext)) ??
        (await linkByEmail(context, identity, requestContext)) ??
        (await signUpWithGoogle(context, identity, timeZone, requestContext))
      );
    } catch (error) {
      if (attemptsLeft <= 1 || !isConcurrentChange(error)) throw toUniquenessError(error);
    }
  }
}

/** Includes unique constraint violations caused by a concurrent login or sign-up. */
const isConcurrentChange = (error: unknown): boolean =>
  error instanceof ConcurrentChangeError ||
  ['identities_pkey', 'login_directory_email_key_key', 'login_directory_username_key_key'].includes(
    violatedConstraint(error) ?? '',
  );

/** Google's subject never changes, so it identifies the account even if the email address has changed. */
async function logInLinkedTutor(
  context: Context,
  identity: PendingGoogleIdentity,
  requestContext: RequestContext,
): Promise<GoogleLoginOutcome | null> {
  const { db } = context;
  const tutorId = await findTutorByGoogleSubject(db.global, identity.subject);
  if (!tutorId) return null;
  return db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockDirectoryEntry(tx, tutorId);
    // Check again under the lock, because a password reset unlinks Google.
    if ((await findTutorByGoogleSubject(tx, identity.subject)) !== tutorId)
      throw new ConcurrentChangeError();
    if (!(await consumePendingIdentity(tx, identity.id, 'sign-in')))
      throw googleSignInExpiredError();
    return {
      tutorId,
      outcome: await completeLogin(context, tx, tutorId, requestContext, 'google'),
    };
  });
}

/** Links the account with the same email address. Throws if it cannot be linked automatically. Returns null if there is none. */
async function linkByEmail(
  context: Context,
  identity: PendingGoogleIdentity,
  requestContext: RequestContext,
): Promise<GoogleLoginOutcome | null> {
  const { db, clock, limiter } = context;
  const profile = requireEmail(identity);
  const found = await findAccountByEmail(db.global, normalizeLogin(profile.email));
  if (!found) return null;
  if (decideLinking(profile, found) === 'automatic') {
    return db.tutorTransaction(found.tutorId, async (tx) => {
      // Check again under the tutor's lock: the password may have been reset, or another Google account linked.
      const account = await findAccountByEmail(tx, normalizeLogin(profile.email));
      const isSameAccount = account?.tutorId === found.tutorId;
      if (!isSameAccount || decideLinking(profile, account) !== 'automatic')
        throw new ConcurrentChangeError();
      const { tutorId } = account;
      return {
        tutorId,
        outcome: await linkGoogleAndLogIn(context, tx, {
          tutorId,
          identity,
          purpose: 'sign-in',
          requestContext,
        }),
      };
    });
  }
  // The same person may have just created the account in another tab; retry the login.
  if (await findTutorByGoogleSubject(db.global, identity.subject))
    throw new ConcurrentChangeError();
  // As with sign-up, the response reveals that the account exists, so the same rate limit applies.
  await limiter.consume(signupByNetwork, requestContext.network);
  if (decideLinking(profile, found) === 'never') throw emailTakenError();
  const converted = await changePurposeToLink(
    db.global,
    identity.id,
    pendingLinkExpiry(clock.now()),
  );
  if (!converted) throw googleSignInExpiredError();
  throw new AppError(
    'password_needed',
    'You already have an account with this email. Enter its password to connect Google.',
  );
}

async function signUpWithGoogle(
  context: Context,
  identity: PendingGoogleIdentity,
  timeZone: string | undefined,
  requestContext: RequestContext,
): Promise<GoogleLoginOutcome> {
  const { db, clock, limiter } = context;
  await limiter.consume(signupByNetwork, requestContext.network);
  const profile = requireEmail(identity);
  const { email, name } = profile;
  const now = clock.now();
  const tutorId = uuidV7(now);
  const username = await pickAvailableUsername(context, email);
  return db.newTutorTransaction(tutorId, async (tx) => {
    if (!(await consumePendingIdentity(tx, identity.id, 'sign-in')))
      throw googleSignInExpiredError();
    await createAccount(context, tx, tutorId, {
      name,
      email,
      username,
      passwordHash: null,
      timeZone,
    });
    const { subject } = identity;
    // Marked as notified, because the owner has just signed up with Google.
    await insertIdentity(tx, { id: uuidV7(now), subject, tutorId, now, ownerNotifiedAt: now });
    if (isGoogleAuthoritative(profile))
      await setVerifiedEmail(tx, tutorId, email, normalizeLogin(email), now);
    else await issueEmailToken(context, tx, { tutorId, purpose: 'verify-email', email });
    return {
      tutorId,
      outcome: { login: await createLogin(context, tx, tutorId, requestContext, 'google') },
    };
  });
}

const MAX_USERNAME_CANDIDATES = 50;

/** If a concurrent sign-up takes the same username, the unique constraint is violated and the caller retries. */
async function pickAvailableUsername(context: Context, email: string): Promise<string> {
  const candidates = usernameCandidates(email, MAX_USERNAME_CANDIDATES);
  const taken = await findTakenUsernames(context.db.global, candidates);
  const [first = 'tutor'] = candidates;
  const fallback = `${first}.${uuidV7(context.clock.now()).slice(-6)}`;
  return candidates.find((candidate) => !taken.has(candidate)) ?? fallback;
}

function requireEmail(identity: PendingGoogleIdentity): PendingGoogleIdentity & { email: string } {
  const { email } = identity;
  if (email) return { ...identity, email };
  throw new AppError(
    'invalid',
    "Google didn't share your email address, which Lessonbook needs. Please try again and allow it.",
  );
}
