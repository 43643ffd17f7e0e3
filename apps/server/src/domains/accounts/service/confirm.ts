import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Login } from '../../../platform/http.ts';
import { askToSign } from '../../../platform/passkeys.ts';
import { checkPassword } from '../../../platform/password.ts';
import { noteConfirmed } from '../queries/logins.ts';
import { passkeysOf } from '../queries/passkeys.ts';
import { passwordOf } from '../queries/tutors.ts';
import { spendCode } from './codes.ts';
import { confirmByTutor } from './limits.ts';
import { keepQuestion, notePasskey, siteOf, whoSigned, wrongPasskey } from './passkey-questions.ts';
import { wrongCode } from './second-step.ts';

/* Three ways to show that it is still the tutor who sits here. */

export async function confirmByPassword(
  context: Context,
  login: Login,
  password: string,
): Promise<void> {
  const { db, clock } = context;
  await withTry(context, login, async () => {
    const found = await passwordOf(db.global, login.tutorId).executeTakeFirst();
    if (!(await checkPassword(found?.passwordHash, password))) {
      const message = 'That is not your password';
      throw new AppError('invalid', message, { fields: { password: message } });
    }
    await noteConfirmed(db.global, login.tokenHash, clock.now());
  });
}

export async function confirmByCode(context: Context, login: Login, code: string): Promise<void> {
  const { db, clock } = context;
  // Beside the book, which does not change.
  await withTry(context, login, () =>
    db.besideTutor(login.tutorId, async (tx) => {
      if (!(await spendCode(context, tx, login.tutorId, code))) throw wrongCode();
      await noteConfirmed(tx, login.tokenHash, clock.now());
    }),
  );
}

const asking = (login: Login) => ({
  purpose: 'reauthenticate' as const,
  holderHash: login.tokenHash,
});

export async function askToConfirm(context: Context, login: Login) {
  const known = await passkeysOf(context.db.global, login.tutorId).execute();
  if (known.length === 0) throw new AppError('conflict', 'There is no passkey yet.');
  return keepQuestion(context, asking(login), askToSign(siteOf(context), known));
}

export async function confirmByPasskey(
  context: Context,
  login: Login,
  answer: PasskeyAnswer,
): Promise<void> {
  const { db, clock } = context;
  await withTry(context, login, async () => {
    const signed = await whoSigned(context, asking(login), answer);
    if (signed.passkey.tutorId !== login.tutorId) throw wrongPasskey();
    await db.inGlobal(async (tx) => {
      await notePasskey(context, tx, signed);
      await noteConfirmed(tx, login.tokenHash, clock.now());
    });
  });
}

/** Whoever found an open browser may not try for ever. */
async function withTry(context: Context, login: Login, work: () => Promise<void>): Promise<void> {
  const { limiter } = context;
  await limiter.take(confirmByTutor, login.tutorId);
  await work();
  await limiter.giveBack(confirmByTutor, login.tutorId);
}
