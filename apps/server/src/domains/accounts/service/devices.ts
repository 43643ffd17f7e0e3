import type { Context } from '../../../context.ts';
import type { CookieContent } from '../../../platform/cookies.ts';
import { derivedToken, isSameSecret, randomToken } from '../../../platform/crypto.ts';
import type { Visitor } from '../../../platform/http.ts';
import {
  deviceExpiry,
  isStillKnown,
  nameDevice,
  readDevices,
  type SignedDevice,
  writeDevices,
} from '../rules/devices.ts';

interface Account {
  tutorId: string;
  devicesSince: Date | null;
}

/** Bound to the account: somebody's own cookie makes no stranger's browser known. */
const sign = ({ config }: Context, tutorId: string, id: string): string =>
  derivedToken(config.secretKey, 'device', `${tutorId}\n${id}`);

const isOf = (context: Context, tutorId: string, { id, signature }: SignedDevice): boolean =>
  isSameSecret(signature, sign(context, tutorId, id));

/** By which name this account knows the browser, if somebody has logged in with it before. */
export function knownDevice(context: Context, account: Account, visitor: Visitor): string | null {
  const now = context.clock.now();
  const known = readDevices(visitor.knownBy).find(
    (device) =>
      isOf(context, account.tutorId, device) && isStillKnown(device.id, account.devicesSince, now),
  );
  return known?.id ?? null;
}

/** From now on the account knows this browser, under a new name; other accounts that knew it still do. */
export function meetDevice(context: Context, tutorId: string, visitor: Visitor): CookieContent {
  const now = context.clock.now();
  const id = nameDevice(now, randomToken(12));
  const others = readDevices(visitor.knownBy).filter((device) => !isOf(context, tutorId, device));
  const value = writeDevices([{ id, signature: sign(context, tutorId, id) }, ...others]);
  return { value, expiresAt: deviceExpiry(now) };
}
