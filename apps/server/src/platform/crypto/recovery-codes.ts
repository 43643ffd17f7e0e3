import { randomBytes } from 'node:crypto';

/** Excludes characters that look alike. */
const RECOVERY_ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const RECOVERY_CODE_LENGTH = 24;
const RECOVERY_CODE = new RegExp(`^[${RECOVERY_ALPHABET}]{${RECOVERY_CODE_LENGTH}}$`);

/** The code has 120 random bits, so an unsalted hash of it is sufficient. */
export function generateRecoveryCode(): string {
  const characters = Array.from(
    randomBytes(RECOVERY_CODE_LENGTH),
    (byte) => RECOVERY_ALPHABET[byte % RECOVERY_ALPHABET.length],
  );
  return characters.join('').replace(/.{6}(?=.)/g, '$&-');
}

/** Ignores case, spaces and dashes. Returns null if the input is not a recovery code. */
export function normalizeRecoveryCode(typed: string): string | null {
  const plain = typed.toLowerCase().replaceAll(/[\s-]/g, '');
  return RECOVERY_CODE.test(plain) ? plain : null;
}
