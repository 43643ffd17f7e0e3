import type { SignupInput, User } from '@lessonbook/contract/accounts';
import { add24HourDays, DEFAULT_TIME_ZONE, isTimeZone } from '@lessonbook/contract/time';
import { TRIAL_DAYS } from '@lessonbook/contract/trial-days-left';
import type { Context } from '../../../../context.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { uuidV7 } from '../../../../platform/db/uuid.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { tutorSignedUp } from '../../events.ts';
import { insertTutor } from '../../queries/tutor-accounts.ts';
import { normalizeLogin } from '../../rules/normalize-login.ts';
import { issueEmailToken } from '../email/email-tokens.ts';
import { readUser } from '../profile/read-tutor.ts';
import { signupByNetwork } from '../rate-limits.ts';
import { hashNewPassword } from './hash-new-password.ts';
import { rejectReservedEmail, toUniquenessError } from './uniqueness-errors.ts';

/** Creates the tutor, the directory entry and the verification email job in one transaction. */
export async function signUp(
  context: Context,
  input: SignupInput,
  requestContext: RequestContext,
): Promise<User> {
  const { db, clock, limiter } = context;
  await limiter.consume(signupByNetwork, requestContext.network);
  const passwordHash = await hashNewPassword(input.password, input);
  const tutorId = uuidV7(clock.now());
  try {
    await db.newTutorTransaction(tutorId, async (tx) => {
      await createAccount(context, tx, tutorId, { ...input, passwordHash });
      await issueEmailToken(context, tx, { tutorId, purpose: 'verify-email', email: input.email });
    });
  } catch (error) {
    throw toUniquenessError(error);
  }
  return readUser(context, tutorId);
}

interface NewAccount {
  name: string;
  email: string;
  username: string;
  passwordHash: string | null;
  /** As reported by the browser; an unknown zone is replaced with the default. */
  timeZone?: string | undefined;
}

/** Creates a tutor with a free trial. Used for both password and Google sign-ups. */
export async function createAccount(
  context: Context,
  tx: Tx,
  tutorId: string,
  account: NewAccount,
): Promise<void> {
  const now = context.clock.now();
  const { name, email, username, passwordHash, timeZone = DEFAULT_TIME_ZONE } = account;
  await insertTutor(tx, {
    tutorId,
    publicId: randomToken(),
    name,
    timeZone: isTimeZone(timeZone) ? timeZone : DEFAULT_TIME_ZONE,
    trialEndsAt: add24HourDays(now, TRIAL_DAYS),
    username,
    usernameKey: normalizeLogin(username),
    email,
    emailKey: normalizeLogin(email),
    passwordHash,
    now,
  });
  await rejectReservedEmail(context, tx, email, tutorId);
  await context.events.publish(tx, tutorSignedUp, { tutorId });
}
