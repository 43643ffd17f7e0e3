import type { SignupInput, User } from '@lessonbook/contract/accounts';
import { addDays, DEFAULT_TIME_ZONE, isTimeZone, TRIAL_DAYS } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { randomToken, uuidV7 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Visitor } from '../../../platform/http.ts';
import { tutorSignedUp } from '../events.ts';
import { insertTutor } from '../queries/tutors.ts';
import { nameKey } from '../rules/names.ts';
import { signupByNetwork } from './limits.ts';
import { mailNewLink } from './mail-link.ts';
import { hashNewPassword } from './new-password.ts';
import { readUser } from './profile.ts';
import { asTaken } from './taken.ts';

/** Makes the tutor, the directory's entry and the verification mail's job in one transaction. */
export async function signUp(
  context: Context,
  input: SignupInput,
  visitor: Visitor,
): Promise<User> {
  const { db, clock, limiter } = context;
  await limiter.take(signupByNetwork, visitor.network);
  const passwordHash = await hashNewPassword(input.password, input);
  const tutorId = uuidV7(clock.now());
  try {
    await db.withNewTutor(tutorId, async (tx) => {
      await openBook(context, tx, tutorId, { ...input, passwordHash });
      await mailNewLink(context, tx, { tutorId, purpose: 'verify-email', email: input.email });
    });
  } catch (error) {
    throw asTaken(error);
  }
  return readUser(context, tutorId);
}

interface NewPerson {
  name: string;
  email: string;
  username: string;
  passwordHash: string | null;
  /** As a browser says; one that we do not know becomes the default one. */
  timeZone?: string | undefined;
}

/** An empty book with its trial, however its owner came in. */
export async function openBook(
  context: Context,
  tx: Tx,
  tutorId: string,
  person: NewPerson,
): Promise<void> {
  const now = context.clock.now();
  const { name, email, username, passwordHash, timeZone = DEFAULT_TIME_ZONE } = person;
  await insertTutor(tx, {
    tutorId,
    publicId: randomToken(),
    name,
    timeZone: isTimeZone(timeZone) ? timeZone : DEFAULT_TIME_ZONE,
    trialEndsAt: addDays(now, TRIAL_DAYS),
    username,
    usernameKey: nameKey(username),
    email,
    emailKey: nameKey(email),
    passwordHash,
    now,
  });
  await context.events.publish(tx, tutorSignedUp, { tutorId });
}
