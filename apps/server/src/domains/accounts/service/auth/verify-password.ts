import type { Context } from '../../../../context.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import { recordFailedLogin } from '../../queries/failed-logins.ts';
import { loginByAccount, loginByDevice, loginByNetwork } from '../rate-limits.ts';
import { findTrustedDevice } from './trusted-devices.ts';

interface PasswordAttempt {
  account:
    | {
        tutorId: string;
        passwordHash: string | null;
        devicesSince: Date | null;
        isDemo: boolean;
      }
    | undefined;
  /** What was typed, in its one spelling. */
  key: string;
  password: string;
  visitor: RequestContext;
}

/**
 * Whether the password is right, if there is a try left. Known and unknown names take the same steps: the same buckets,
 * one comparison, one note of what was wrong. A browser that the account knows has a bucket of its own and does not share its network's either, so
 * whoever is attacked, be it by the neighbours, still gets in.
 */
export async function verifyLoginPassword(
  context: Context,
  attempt: PasswordAttempt,
): Promise<boolean> {
  const { clock, db, limiter } = context;
  const { account, key, password, visitor: requestContext } = attempt;
  const buckets = rateLimitBuckets(context, account, key, requestContext);
  for (const bucket of buckets) await limiter.consume(...bucket);
  const right = await checkPassword(account?.passwordHash, password);
  if (right) for (const bucket of buckets) await limiter.release(...bucket);
  else if (!account?.isDemo)
    await recordFailedLogin(db.global, account?.tutorId ?? hashKey(key), clock.now());
  return right;
}

const hashKey = (key: string): string => sha256(key).toString('base64url');

function rateLimitBuckets(
  context: Context,
  account: PasswordAttempt['account'],
  key: string,
  requestContext: RequestContext,
): [RateLimit, string][] {
  const network: [RateLimit, string] = [loginByNetwork, requestContext.network];
  // A tutor has one bucket whether the username or the address was typed; a name that nobody has gets one as well.
  if (!account) return [network, [loginByAccount, hashKey(key)]];
  // Everybody knows its password, so nobody can guess it, nor may keep the others out by guessing wrong.
  if (account.isDemo) return [network];
  const device = findTrustedDevice(context, account, requestContext);
  if (device) return [[loginByDevice, `${account.tutorId} ${device}`]];
  return [network, [loginByAccount, account.tutorId]];
}
