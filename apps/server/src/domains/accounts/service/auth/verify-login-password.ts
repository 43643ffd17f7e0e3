import type { Context } from '../../../../context.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { recordFailedLogin } from '../../queries/failed-logins.ts';
import { loginByAccount, loginByDevice, loginByNetwork } from '../rate-limits.ts';
import { findTrustedDevice } from './trusted-devices.ts';

interface PasswordAttempt {
  account:
    | {
        tutorId: string;
        passwordHash: string | null;
        devicesValidAfter: Date | null;
        isDemo: boolean;
      }
    | undefined;
  /** The normalised username or address. */
  key: string;
  password: string;
  requestContext: RequestContext;
}

/**
 * Checks the password, subject to the rate limits. Known and unknown usernames take the same steps: the same buckets,
 * one hash comparison and one record of the failure. A trusted browser has its own bucket instead of the account and
 * network buckets, so an attack from elsewhere does not lock the owner out.
 */
export async function verifyLoginPassword(
  context: Context,
  attempt: PasswordAttempt,
): Promise<boolean> {
  const { clock, db, limiter } = context;
  const { account, key, password, requestContext } = attempt;
  const buckets = rateLimitBuckets(context, account, key, requestContext);
  for (const bucket of buckets) await limiter.consume(...bucket);
  const isCorrect = await checkPassword(account?.passwordHash, password);
  if (isCorrect) for (const bucket of buckets) await limiter.release(...bucket);
  else if (!account?.isDemo)
    await recordFailedLogin(db.global, account?.tutorId ?? hashKey(key), clock.now());
  return isCorrect;
}

const hashKey = (key: string): string => sha256(key).toString('base64url');

function rateLimitBuckets(
  context: Context,
  account: PasswordAttempt['account'],
  key: string,
  requestContext: RequestContext,
): [RateLimit, string][] {
  const network: [RateLimit, string] = [loginByNetwork, requestContext.network];
  // A tutor has one bucket for both the username and the email address; an unknown name also gets a bucket.
  if (!account) return [network, [loginByAccount, hashKey(key)]];
  // The demo password is public, so guesses need no account limit, and wrong ones must not lock visitors out.
  if (account.isDemo) return [network];
  const device = findTrustedDevice(context, account, requestContext);
  if (device) return [[loginByDevice, `${account.tutorId} ${device}`]];
  return [network, [loginByAccount, account.tutorId]];
}
