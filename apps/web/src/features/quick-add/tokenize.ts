import { normalizeText } from '../../lib/normalize-text.ts';

/** One word of the sentence: as it is compared, and as it was typed. A comma is a word that nothing reaches across. */
export interface Token {
  text: string;
  raw: string;
}

/** What stands between the tutor's words and ours: '16:00 – 17:00' is one time, '4 p.m.' one word. */
export function tokenize(sentence: string): Token[] {
  return (
    sentence
      .replace(/[–—−]/g, '-')
      .replace(/\b([ap])\.\s?m\b\.?/gi, '$1m')
      .replace(/(\d)\s+(?=[ap]m\b)/gi, '$1')
      .replace(/(\d|\d[ap]m)\s*-\s*(?=\d)/gi, '$1-')
      // '£1,250' is one amount.
      .replace(/,(?!\d{3}(?!\d))/g, ' , ')
      .split(/\s+/)
      .map((raw) => raw.replace(/^["“(@]+|["”)?!.;:]+$/g, ''))
      .filter((raw) => raw !== '')
      .map((raw) => ({ text: normalizeText(raw), raw }))
  );
}

/** The words from `at` on, as many as a pattern of ours may have, up to the next comma. */
export function phraseAt(words: readonly Token[], at: number, atMost: number): string[] {
  const texts = words.slice(at, at + atMost).map(({ text }) => text);
  const comma = texts.indexOf(',');
  return comma === -1 ? texts : texts.slice(0, comma);
}

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** '3' or 'three'; none for anything else. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const index = NUMBER_WORDS.indexOf(text);
  return index === -1 ? null : index + 1;
}
