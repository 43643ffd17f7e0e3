import type { User } from '@lessonbook/contract/accounts';
import type { PasskeyAnswer, SecondStep } from '@lessonbook/contract/second-factor';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { LoginCookies } from '../../../platform/cookies.ts';
import { sha256 } from '../../../platform/crypto.ts';
import { refusedBy } from '../../../platform/database-errors.ts';
import type { Tx } from '../../../platform/db.ts';
import type { Visitor } from '../../../platform/http.ts';
import { askToSign } from '../../../platform/passkeys.ts';
import { passkeysOf } from '../queries/passkeys.ts';
import { openSecondStep, spendSecondStep, takeTry } from '../queries/second-steps.ts';
import { lockEntry } from '../queries/tutors.ts';
import { spendCode } from './codes.ts';
import { connectIdentity } from './connect-identity.ts';
import { factorsOf } from './factors.ts';
import { factorByAccount } from './limits.ts';
import { keepQuestion, notePasskey, siteOf, whoSigned, wrongPasskey } from './passkey-questions.ts';
import { readUser } from './profile.ts';
import { startLogin, type WayIn } from './start-login.ts';

const expired = () =>
  new AppError('link_expired', 'That took too long or too many tries. Please log in again.');

export function wrongCode(): AppError {
  const message = 'That code is not right';
  return new AppError('invalid', message, { fields: { code: message } });
}

/** What can be asked for in this browser; nothing is told about anybody whose password was not given here. */
export async function readSecondStep(context: Context, token: string): Promise<SecondStep> {
  const { db, clock } = context;
  const step = await openSecondStep(db.global, sha256(token), clock.now());
  if (!step) throw expired();
  return db.lookAtTutor(step.tutorId, (tx) => factorsOf(tx, step.tutorId));
}

export async function giveCode(
  context: Context,
  token: string,
  code: string,
  visitor: Visitor,
): Promise<{ user: User; login: LoginCookies }> {
  const tutorId = await spendTry(context, token);
  return finish(context, token, tutorId, visitor, 'code', async (tx) => {
    if (!(await spendCode(context, tx, tutorId, code))) throw wrongCode();
  });
}

const asking = (token: string) => ({ purpose: 'mfa' as const, holderHash: sha256(token) });

export async function askSecondPasskey(context: Context, token: string) {
  const { db, clock } = context;
  const step = await openSecondStep(db.global, sha256(token), clock.now());
  if (!step) throw expired();
  const known = await passkeysOf(db.global, step.tutorId).execute();
  if (known.length === 0) throw wrongPasskey();
  return keepQuestion(context, asking(token), askToSign(siteOf(context), known));
}

export async function giveSecondPasskey(
  context: Context,
  token: string,
  answer: PasskeyAnswer,
  visitor: Visitor,
): Promise<{ user: User; login: LoginCookies }> {
  const tutorId = await spendTry(context, token);
  const signed = await whoSigned(context, asking(token), answer);
  // Another tutor's passkey, in the browser of whoever knows this one's password.
  if (signed.passkey.tutorId !== tutorId) throw wrongPasskey();
  return finish(context, token, tutorId, visitor, 'passkey', (tx) =>
    notePasskey(context, tx, signed),
  );
}

/** A ticket has few tries, and all tickets of an account together not many more. */
async function spendTry(context: Context, token: string): Promise<string> {
  const { db, clock, limiter } = context;
  const step = await takeTry(db.global, sha256(token), clock.now());
  if (!step) throw expired();
  await limiter.take(factorByAccount, step.tutorId);
  return step.tutorId;
}

/** The factor is checked, the ticket spent and the login made together or not at all. */
async function finish(
  context: Context,
  token: string,
  tutorId: string,
  visitor: Visitor,
  by: WayIn,
  check: (tx: Tx) => Promise<void>,
): Promise<{ user: User; login: LoginCookies }> {
  const { db, clock, limiter } = context;
  const login = await db
    .besideTutor(tutorId, async (tx) => {
      await lockEntry(tx, tutorId);
      await check(tx);
      const spent = await spendSecondStep(tx, sha256(token), clock.now());
      if (!spent) throw expired();
      if (spent.googleSubject) await connectIdentity(context, tx, tutorId, spent.googleSubject);
      return startLogin(context, tx, tutorId, visitor, by);
    })
    .catch((error: unknown) => {
      // That Google account came in elsewhere meanwhile and has a book.
      throw refusedBy(error) === 'identities_pkey' ? expired() : error;
    });
  await limiter.giveBack(factorByAccount, tutorId);
  return { user: await readUser(context, tutorId), login };
}
