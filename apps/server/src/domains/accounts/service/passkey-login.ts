import type { User } from '@lessonbook/contract/accounts';
import type { PasskeyAnswer } from '@lessonbook/contract/second-factor';
import type { Context } from '../../../context.ts';
import type { CookieContent, LoginCookies } from '../../../platform/cookies.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Visitor } from '../../../platform/http.ts';
import { askToSign } from '../../../platform/passkeys.ts';
import { lockEntry } from '../queries/tutors.ts';
import { passkeyQuestionExpiry } from '../rules/lifetimes.ts';
import { passkeyByNetwork } from './limits.ts';
import { keepQuestion, notePasskey, siteOf, whoSigned } from './passkey-questions.ts';
import { readUser } from './profile.ts';
import { startLogin } from './start-login.ts';

const asking = (browser: string) => ({ purpose: 'login' as const, holderHash: sha256(browser) });

/** Any passkey for this site will do: the device shows which it has. The browser is known by a cookie for this alone. */
export async function askPasskey(
  context: Context,
  visitor: Visitor,
): Promise<{ question: Record<string, unknown>; browser: CookieContent }> {
  const site = siteOf(context);
  await context.limiter.take(passkeyByNetwork, visitor.network);
  const value = randomToken(32);
  const { question } = await keepQuestion(context, asking(value), askToSign(site, []));
  return { question, browser: { value, expiresAt: passkeyQuestionExpiry(context.clock.now()) } };
}

/** A passkey is both at once, something held and the lock it is behind, so nothing else is asked for. */
export async function logInByPasskey(
  context: Context,
  answer: PasskeyAnswer,
  browser: string,
  visitor: Visitor,
): Promise<{ user: User; login: LoginCookies }> {
  const { db, limiter } = context;
  await limiter.take(passkeyByNetwork, visitor.network);
  const signed = await whoSigned(context, asking(browser), answer);
  const { tutorId } = signed.passkey;
  const login = await db.besideTutor(tutorId, async (tx) => {
    await lockEntry(tx, tutorId);
    await notePasskey(context, tx, signed);
    return startLogin(context, tx, tutorId, visitor, 'passkey');
  });
  return { user: await readUser(context, tutorId), login };
}
