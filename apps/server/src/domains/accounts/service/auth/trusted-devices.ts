import type { Context } from '../../../../context.ts';
import { deriveToken, randomToken, secretsMatch } from '../../../../platform/crypto/tokens.ts';
import type { CookieValue } from '../../../../platform/http/cookies.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import {
  createDeviceId,
  deviceExpiry,
  isDeviceTrusted,
  parseDeviceCookie,
  type SignedDevice,
  serializeDeviceCookie,
} from '../../rules/trusted-device-cookie.ts';

interface DeviceOwner {
  tutorId: string;
  devicesValidAfter: Date | null;
}

/** The signature includes the tutor's id, so a cookie is not valid for another account. */
const signDevice = ({ config }: Context, tutorId: string, id: string): string =>
  deriveToken(config.secretKey, 'device', `${tutorId}\n${id}`);

const isSignedForTutor = (
  context: Context,
  tutorId: string,
  { id, signature }: SignedDevice,
): boolean => secretsMatch(signature, signDevice(context, tutorId, id));

/** Returns the device id if this account trusts the browser, otherwise null. */
export function findTrustedDevice(
  context: Context,
  account: DeviceOwner,
  requestContext: RequestContext,
): string | null {
  const now = context.clock.now();
  const device = parseDeviceCookie(requestContext.deviceToken).find(
    (candidate) =>
      isSignedForTutor(context, account.tutorId, candidate) &&
      isDeviceTrusted(candidate.id, account.devicesValidAfter, now),
  );
  return device?.id ?? null;
}

/** Trusts this browser under a new id. Entries for other accounts remain in the cookie. */
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
