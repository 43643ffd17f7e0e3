/* Letters that do not come apart into a plain one and its accent. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

/** How a word is compared when people type it: 'Zoë' and 'zoe' are one. */
export const normalizeText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[ßøłæœđı]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
    .replace(/[’‘`]/g, "'");
