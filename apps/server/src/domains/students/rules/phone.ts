import { validatePhoneNumberLength } from 'libphonenumber-js/min';

const UK_ZONES = new Set([
  'Europe/London',
  'Europe/Belfast',
  'Europe/Guernsey',
  'Europe/Isle_of_Man',
  'Europe/Jersey',
  'GB',
]);

export const UK_CALLING_CODE = '+44';

/**
 * Returns the default calling code, based on the tutor's time zone. Only the UK is supported: a wrong country code is
 * worse than none, because a message could go to a stranger.
 */
export const defaultCallingCode = (timeZone: string): string | null =>
  UK_ZONES.has(timeZone) ? UK_CALLING_CODE : null;

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

const MIN_LOCAL_DIGITS = 5;
const MAX_DIGITS = 15;
const EXTENSION = /(?:,|;|\bext\.?|\bx|#)\s*\d{1,7}$/i;

/** What is wrong with a number that was typed, or null. Numbers stored earlier are not checked again. */
export function findPhoneProblem(input: string, callingCode: string | null): string | null {
  const number = normalizePhone(input.replace(EXTENSION, '').trim(), callingCode);
  const plain = number.replace(SEPARATORS, '');
  if (!/^\+?\d+$/.test(plain)) return 'Enter only the number, for example 07700 900123';
  // Without a country, only the number of digits can be checked.
  if (callingCode === null && !plain.startsWith('+')) {
    const digits = plain.length;
    if (digits < MIN_LOCAL_DIGITS) return TOO_SHORT;
    return digits > MAX_DIGITS ? TOO_LONG : null;
  }
  const problem = validatePhoneNumberLength(plain, callingCode === null ? undefined : 'GB');
  if (problem === 'TOO_SHORT') return TOO_SHORT;
  if (problem === 'TOO_LONG') return TOO_LONG;
  if (problem)
    return 'Please check this number. Numbers outside the UK start with + and the country code';
  return SHORT_BRITISH_MOBILE.test(plain) ? TOO_SHORT : null;
}

/** Some British landline numbers have one digit fewer than others, but no mobile number has. */
const SHORT_BRITISH_MOBILE = /^\+447\d{8}$/;

const TOO_SHORT = 'This number is too short';
const TOO_LONG = 'This number is too long';
