import type { Context } from '../../../../context.ts';
import { deriveToken, isEqualSecret, randomToken } from '../../../../platform/crypto/tokens.ts';
import type { CookieValue } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/http-server.ts';
import {
  createDeviceId,
  deviceExpiry,
  isDeviceTrusted,
  parseDeviceCookie,
  type SignedDevice,
  serializeDeviceCookie,
} from '../../rules/trusted-devices.ts';

interface DeviceOwner {
  tutorId: string;
  devicesSince: Date | null;
}

/** Bound to the account: somebody's own cookie makes no stranger's browser known. */
const signDevice = ({ config }: Context, tutorId: string, id: string): string =>
  deriveToken(config.secretKey, 'device', `${tutorId}\n${id}`);

const isSignedForTutor = (
  context: Context,
  tutorId: string,
  { id, signature }: SignedDevice,
): boolean => isEqualSecret(signature, signDevice(context, tutorId, id));

/** By which name this account knows the browser, if somebody has logged in with it before. */
export function findTrustedDevice(
  context: Context,
  account: DeviceOwner,
  requestContext: RequestContext,
): string | null {
  const now = context.clock.now();
  const known = parseDeviceCookie(requestContext.deviceToken).find(
    (device) =>
      isSignedForTutor(context, account.tutorId, device) &&
      isDeviceTrusted(device.id, account.devicesSince, now),
  );
  return known?.id ?? null;
}

/** From now on the account knows this browser, under a new name; other accounts that knew it still do. */
export function trustDevice(
  context: Context,
  tutorId: string,
  requestContext: RequestContext,
): CookieValue {
  const now = context.clock.now();
  const id = createDeviceId(now, randomToken(12));
  const others = parseDeviceCookie(requestContext.deviceToken).filter(
    (device) => !isSignedForTutor(context, tutorId, device),
  );
  const value = serializeDeviceCookie([
    { id, signature: signDevice(context, tutorId, id) },
    ...others,
  ]);
  return { value, expiresAt: deviceExpiry(now) };
}
