import type { Context } from '../../../../context.ts';
import { checkPassword } from '../../../../platform/crypto/password-hash.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { recordFailedLogin } from '../../queries/failed-logins.ts';
import {
  correctPasswordByAccount,
  demoLoginByNetwork,
  loginByAccount,
  loginByDevice,
  loginByNetwork,
} from '../rate-limits.ts';
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
 * one hash comparison and one record of the failure. A trusted browser has its own buckets instead of those of the
 * account and the network, so an attack from elsewhere does not lock the owner out. All buckets are consumed first,
 * because concurrent attempts must not compare more passwords than allowed; afterwards an attempt counts only in the
 * bucket for its outcome.
 */
export async function verifyLoginPassword(
  context: Context,
  attempt: PasswordAttempt,
): Promise<boolean> {
  const { clock, db, limiter } = context;
  const { account, key, password, requestContext } = attempt;
  if (account?.isDemo) {
    // Wrong passwords must not lock out other visitors, so there is no bucket for the account.
    await limiter.consume(demoLoginByNetwork, requestContext.network);
    return checkPassword(account.passwordHash, password);
  }
  const { wrong, correct } = rateLimitBuckets(context, account, key, requestContext);
  const release = async (buckets: readonly Bucket[]) => {
    for (const bucket of buckets) await limiter.release(...bucket);
  };
  for (const bucket of wrong) await limiter.consume(...bucket);
  // Consumed last, so that rejected guesses cannot use up the owner's limit for correct passwords.
  await limiter.consume(...correct).catch(async (error: unknown) => {
    await release(wrong);
    throw error;
  });
  const isCorrect = await checkPassword(account?.passwordHash, password);
  await release(isCorrect ? wrong : [correct]);
  if (!isCorrect) await recordFailedLogin(db.global, account?.tutorId ?? hashKey(key), clock.now());
  return isCorrect;
}

type Bucket = [RateLimit, string];

const hashKey = (key: string): string => sha256(key).toString('base64url');

function rateLimitBuckets(
  context: Context,
  account: PasswordAttempt['account'],
  key: string,
  requestContext: RequestContext,
): { wrong: Bucket[]; correct: Bucket } {
  const device = account && findTrustedDevice(context, account, requestContext);
  if (device) {
    const subject = `${account.tutorId} ${device}`;
    return { wrong: [[loginByDevice, subject]], correct: [correctPasswordByAccount, subject] };
  }
  // A tutor has one bucket for both the username and the email address; an unknown name also gets a bucket.
  const subject = account?.tutorId ?? hashKey(key);
  return {
    wrong: [
      [loginByNetwork, requestContext.network],
      [loginByAccount, subject],
    ],
    correct: [correctPasswordByAccount, subject],
  };
}
