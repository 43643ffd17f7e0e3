const UK_ZONES = new Set([
  'Europe/London',
  'Europe/Belfast',
  'Europe/Guernsey',
  'Europe/Isle_of_Man',
  'Europe/Jersey',
  'GB',
]);

/**
 * The country that a number without one belongs to is the tutor's. Elsewhere than here we would guess, and a wrong
 * country is worse than none: a message would reach a stranger.
 */
export const callingCodeOf = (timeZone: string): string | null =>
  UK_ZONES.has(timeZone) ? '+44' : null;

/** What people put between digits; address books add invisible marks around a number. */
const SEPARATORS = /[\s.()[\]\p{Pd}\p{Cf}]/gu;
const INTERNATIONAL = /^(\+|00)/;
const E164 = /^\+[1-9]\d{6,14}$/;

/** As E.164 when it can be read as such, otherwise as it was typed: a number is never refused or lost. */
export function normalizePhone(typed: string, callingCode: string | null): string {
  const trimmed = typed.replace(/^[\s\p{Cf}]+/u, '');
  // +44 (0)20 …: the zero is only dialled at home. Without a country before it, it is part of the number.
  const bare = (INTERNATIONAL.test(trimmed) ? trimmed.replace('(0)', '') : trimmed)
    .replace(SEPARATORS, '')
    .replace(/^00/, '+');
  const national = callingCode !== null && /^0[1-9]/.test(bare);
  const number = (national ? callingCode + bare.slice(1) : bare).replace(/^\+440/, '+44');
  return E164.test(number) ? number : typed;
}
