import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** As every authenticator app expects: SHA-1, six digits, a new code each half minute. */
const totpSettings = { issuer: 'Lessonbook', algorithm: 'SHA1', digits: 6, period: 30 };
const SECRET_BYTES = 20;

export const generateTotpSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

/** What the app reads from the picture. */
export const totpUri = (secret: string, label: string): string =>
  new TOTP({ ...totpSettings, label, secret: Secret.fromBase32(secret) }).toString();

/** Which half minute this code belongs to: the present one, or a neighbour for clocks that differ. Null for a wrong code. */
export function findTotpCounter(secret: string, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const totp = new TOTP({ ...totpSettings, secret: Secret.fromBase32(secret) });
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : totp.counter({ timestamp }) + delta;
}

/** Nothing in it can be taken for something else when it is copied by hand. */
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const RECOVERY_CODE_LENGTH = 24;
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_CODE_LENGTH}}$`);

/** A hundred and twenty random bits, so a plain hash of it is enough. */
export function generateRecoveryCode(): string {
  const letters = Array.from(
    randomBytes(RECOVERY_CODE_LENGTH),
    (byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length],
  );
  return letters.join('').replace(/.{6}(?=.)/g, '$&-');
}

/** However it was typed; null for what cannot be one. */
export function normalizeRecoveryCode(typed: string): string | null {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return RECOVERY_CODE.test(plain) ? plain : null;
}
