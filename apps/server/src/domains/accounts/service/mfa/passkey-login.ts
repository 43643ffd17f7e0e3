import type { User } from '@lessonbook/contract/accounts';
import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import { createAuthenticationOptions } from '../../../../platform/crypto/webauthn.ts';
import type { CookieValue, LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import { lockDirectoryEntry } from '../../queries/tutors.ts';
import { passkeyChallengeExpiry } from '../../rules/expirations.ts';
import { createLogin } from '../auth/create-login.ts';
import { readUser } from '../profile/profile.ts';
import { passkeyByNetwork } from '../rate-limits.ts';
import {
  getRelyingParty,
  recordPasskeyUse,
  storeChallenge,
  verifyPasskeyResponse,
} from './webauthn-challenges.ts';

const challengeScope = (browser: string) => ({
  purpose: 'login' as const,
  holderHash: sha256(browser),
});

/** Any passkey for this site will do: the device shows which it has. The browser is known by a cookie for this alone. */
export async function createPasskeyLoginOptions(
  context: Context,
  requestContext: RequestContext,
): Promise<{ options: Record<string, unknown>; browser: CookieValue }> {
  const site = getRelyingParty(context);
  await context.limiter.consume(passkeyByNetwork, requestContext.network);
  const value = randomToken(32);
  const { options } = await storeChallenge(
    context,
    challengeScope(value),
    createAuthenticationOptions(site, []),
  );
  return { options, browser: { value, expiresAt: passkeyChallengeExpiry(context.clock.now()) } };
}

/** A passkey is both at once, something held and the lock it is behind, so nothing else is asked for. */
export async function logInWithPasskey(
  context: Context,
  answer: PasskeyResponse,
  browser: string,
  requestContext: RequestContext,
): Promise<{ user: User; login: LoginCookies }> {
  const { db, limiter } = context;
  await limiter.consume(passkeyByNetwork, requestContext.network);
  const signed = await verifyPasskeyResponse(context, challengeScope(browser), answer);
  const { tutorId } = signed.passkey;
  const login = await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockDirectoryEntry(tx, tutorId);
    await recordPasskeyUse(context, tx, signed);
    return createLogin(context, tx, tutorId, requestContext, 'passkey');
  });
  return { user: await readUser(context, tutorId), login };
}
