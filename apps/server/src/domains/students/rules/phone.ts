const UK_ZONES = new Set([
  'Europe/London',
  'Europe/Belfast',
  'Europe/Guernsey',
  'Europe/Isle_of_Man',
  'Europe/Jersey',
  'GB',
]);

/**
 * Returns the default calling code, based on the tutor's time zone. Only the UK is supported: a wrong country code is
 * worse than none, because a message could go to a stranger.
 */
export const defaultCallingCode = (timeZone: string): string | null =>
  UK_ZONES.has(timeZone) ? '+44' : null;

/** Includes the invisible formatting characters that address books insert. */
const SEPARATORS = /[\s.()[\]\p{Pd}\p{Cf}]/gu;
const INTERNATIONAL = /^(\+|00)/;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns the number in E.164 format if possible, otherwise the input unchanged. Never rejects a number. */
export function normalizePhone(input: string, callingCode: string | null): string {
  const trimmed = input.replace(/^[\s\p{Cf}]+/u, '');
  // In +44 (0)20 … the zero is dialled only within the UK. Without a country code it is part of the number.
  const digits = (INTERNATIONAL.test(trimmed) ? trimmed.replace('(0)', '') : trimmed)
    .replace(SEPARATORS, '')
    .replace(/^00/, '+');
  const isNational = callingCode !== null && /^0[1-9]/.test(digits);
  const number = (isNational ? callingCode + digits.slice(1) : digits).replace(/^\+440/, '+44');
  return E164.test(number) ? number : input;
}
