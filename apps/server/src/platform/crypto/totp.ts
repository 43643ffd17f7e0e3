import { Secret, TOTP } from 'otpauth';

/** The settings that authenticator apps expect. */
const totpSettings = { issuer: 'Lessonbook', algorithm: 'SHA1', digits: 6, period: 30 };
const SECRET_BYTES = 20;

export const generateTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** The content of the QR code. */
export const totpUri = (secret: string, label: string): string =>
  new TOTP({ ...totpSettings, label, secret: Secret.fromBase32(secret) }).toString();

/**
 * Returns the time step that the code belongs to: the current one, or the one before or after to allow for clock drift.
 * Returns null if the code is wrong.
 */
export function findTotpCounter(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...totpSettings, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}
