import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Visitor } from '../../../platform/http.ts';
import { checkPassword } from '../../../platform/password.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { noteFailedLogin } from '../queries/failed-logins.ts';
import { knownDevice } from './devices.ts';
import { loginByAccount, loginByDevice, loginByNetwork } from './limits.ts';

interface Try {
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
  visitor: Visitor;
}

/**
 * Whether the password is right, if there is a try left. Known and unknown names take the same steps: the same buckets,
 * one comparison, one note of what was wrong. A browser that the account knows has a bucket of its own and does not share its network's either, so
 * whoever is attacked, be it by the neighbours, still gets in.
 */
export async function tryPassword(context: Context, tried: Try): Promise<boolean> {
  const { clock, db, limiter } = context;
  const { account, key, password, visitor } = tried;
  const buckets = bucketsOf(context, account, key, visitor);
  for (const bucket of buckets) await limiter.take(...bucket);
  const right = await checkPassword(account?.passwordHash, password);
  if (right) for (const bucket of buckets) await limiter.giveBack(...bucket);
  else if (!account?.isDemo)
    await noteFailedLogin(db.global, account?.tutorId ?? hashOf(key), clock.now());
  return right;
}

const hashOf = (key: string): string => sha256(key).toString('base64url');

function bucketsOf(
  context: Context,
  account: Try['account'],
  key: string,
  visitor: Visitor,
): [Limit, string][] {
  const network: [Limit, string] = [loginByNetwork, visitor.network];
  // A tutor has one bucket whether the username or the address was typed; a name that nobody has gets one as well.
  if (!account) return [network, [loginByAccount, hashOf(key)]];
  // Everybody knows its password, so nobody can guess it, nor may keep the others out by guessing wrong.
  if (account.isDemo) return [network];
  const device = knownDevice(context, account, visitor);
  if (device) return [[loginByDevice, `${account.tutorId} ${device}`]];
  return [network, [loginByAccount, account.tutorId]];
}
