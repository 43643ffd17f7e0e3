/* Letters that do not decompose into a base letter and an accent. */
const LETTER_REPLACEMENTS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ı: 'i',
};

/** For comparing typed text: 'Zoë' equals 'zoe'. Removes accents but no other marks, because vowels are marks in Hindi. */
export const normalizeText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßøłæœđı]/g, (letter) => LETTER_REPLACEMENTS[letter] ?? letter)
    .replace(/[’‘`]/g, "'");
