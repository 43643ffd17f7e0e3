const UK_ZONES = new Set([
  'Europe/London',
  'Europe/Belfast',
  'Europe/Guernsey',
  'Europe/Isle_of_Man',
  'Europe/Jersey',
  'GB',
]);

/**
 * The calling code for numbers without one, from the tutor's time zone. Only for the UK: a wrong country code is worse
 * than none, because a message would reach a stranger.
 */
export const callingCodeOf = (timeZone: string): string | null =>
  UK_ZONES.has(timeZone) ? '+44' : null;

/** Includes the invisible formatting characters that address books add. */
const SEPARATORS = /[\s.()[\]\p{Pd}\p{Cf}]/gu;
const INTERNATIONAL = /^(\+|00)/;
const E164 = /^\+[1-9]\d{6,14}$/;

/** Returns E.164 if possible, otherwise the input unchanged: a number is never rejected. */
export function normalizePhone(input: string, callingCode: string | null): string {
  const trimmed = input.replace(/^[\s\p{Cf}]+/u, '');
  // In +44 (0)20 … the zero is only dialled within the country. Without a country code it is part of the number.
  const digits = (INTERNATIONAL.test(trimmed) ? trimmed.replace('(0)', '') : trimmed)
    .replace(SEPARATORS, '')
    .replace(/^00/, '+');
  const isNational = callingCode !== null && /^0[1-9]/.test(digits);
  const number = (isNational ? callingCode + digits.slice(1) : digits).replace(/^\+440/, '+44');
  return E164.test(number) ? number : input;
}
