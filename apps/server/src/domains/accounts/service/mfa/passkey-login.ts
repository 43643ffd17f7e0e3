import type { User } from '@lessonbook/contract/accounts';
import type { PasskeyResponse } from '@lessonbook/contract/mfa';
import type { Context } from '../../../../context.ts';
import { randomToken, sha256 } from '../../../../platform/crypto/tokens.ts';
import { createAuthenticationOptions } from '../../../../platform/crypto/webauthn.ts';
import type { CookieValue, LoginCookies } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { lockDirectoryEntry } from '../../queries/tutor-accounts.ts';
import { passkeyChallengeExpiry } from '../../rules/expirations.ts';
import { createLogin } from '../auth/create-login.ts';
import { readUser } from '../profile/read-tutor.ts';
import { passkeyByNetwork } from '../rate-limits.ts';
import {
  getRelyingParty,
  recordPasskeyUse,
  storeChallenge,
  verifyPasskeyResponse,
} from './passkey-verification.ts';

const challengeScope = (browserToken: string) => ({
  purpose: 'login' as const,
  cookieHash: sha256(browserToken),
});

/** The options list no credentials: the device offers the passkeys it has for this site. */
export async function createPasskeyLoginOptions(
  context: Context,
  requestContext: RequestContext,
): Promise<{ options: Record<string, unknown>; browserCookie: CookieValue }> {
  const relyingParty = getRelyingParty(context);
  await context.limiter.consume(passkeyByNetwork, requestContext.network);
  const value = randomToken(32);
  const { options } = await storeChallenge(
    context,
    challengeScope(value),
    createAuthenticationOptions(relyingParty, []),
  );
  const expiresAt = passkeyChallengeExpiry(context.clock.now());
  return { options, browserCookie: { value, expiresAt } };
}

/** No second factor is required: a passkey combines possession with user verification on the device. */
export async function logInWithPasskey(
  context: Context,
  response: PasskeyResponse,
  browserToken: string,
  requestContext: RequestContext,
): Promise<{ user: User; login: LoginCookies }> {
  const { db, limiter } = context;
  await limiter.consume(passkeyByNetwork, requestContext.network);
  const verified = await verifyPasskeyResponse(context, challengeScope(browserToken), response);
  const { tutorId } = verified.passkey;
  const login = await db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await lockDirectoryEntry(tx, tutorId);
    await recordPasskeyUse(context, tx, verified);
    return createLogin(context, tx, tutorId, requestContext, 'passkey');
  });
  return { user: await readUser(context, tutorId), login };
}
