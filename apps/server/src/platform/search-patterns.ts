import { normalizeText } from '@lessonbook/contract/normalize-text';

/*
 * Regular expressions for PostgreSQL. A pattern lists every accented form of a letter, so names need no second, normalised
 * column. Typed text never becomes an operator, and there is no nested repetition.
 */

/** The blocks with letters that `normalizeText` maps to others: Latin, Greek and Cyrillic. */
const LETTER_RANGES = [
  [0xc0, 0x24f],
  [0x370, 0x52f],
  [0x1e00, 0x1fff],
] as const;

/** The letters that `normalizeText` maps to each string: 'e' → 'èéêë…', 'ss' → 'ß'. */
const variants = new Map<string, string>();
for (const [first, last] of LETTER_RANGES) {
  for (let code = first; code <= last; code++) {
    const letter = String.fromCharCode(code);
    const normalized = normalizeText(letter);
    if (normalized !== letter) variants.set(normalized, (variants.get(normalized) ?? '') + letter);
  }
}

/**
 * "O'Brien" is found by 'obrien'. The optional apostrophe is allowed only after the first letters, because each one makes
 * matching slower.
 */
const APOSTROPHE = "['’‘ʼ`]?";
const MAX_LETTERS_BEFORE_APOSTROPHE = 3;
const WORD_START = '(?:^|[^a-zA-Z0-9\u00c0-\uffff])';

/** Matches the word anywhere in a string; `atWordStart` only at the start of a word. */
export function wordPattern(word: string, atWordStart = false): string {
  const letters = Array.from(word);
  let pattern = atWordStart ? WORD_START : '';
  for (let index = 0; index < letters.length; index++) {
    const [letter = '', next = ''] = letters.slice(index, index + 2);
    const ligatures = next && variants.get(letter + next);
    if (ligatures) {
      pattern += `(?:${letterClass(letter)}${letterClass(next)}|[${ligatures}])`;
      index++;
    } else pattern += letterClass(letter);
    if (index < MAX_LETTERS_BEFORE_APOSTROPHE) pattern += APOSTROPHE;
  }
  return pattern;
}

/** All forms of a normalised letter. Any other character matches itself. */
function letterClass(letter: string): string {
  // All operators are ASCII characters.
  if (/[!-/:-@[-`{-~]/.test(letter)) return `\\${letter}`;
  if (!/[\p{L}\p{N}]/u.test(letter)) return letter;
  const upperCase = letter.toUpperCase();
  return `[${letter}${upperCase.length === letter.length ? upperCase : ''}${variants.get(letter) ?? ''}]`;
}

/** Other characters may be between the digits of a stored phone number. */
export const phonePattern = (digits: string): string => Array.from(digits).join('[^0-9]*');

/** For LIKE, with the wildcards in the text escaped. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
