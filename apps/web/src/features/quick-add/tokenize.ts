import { normalizeText } from '../../lib/normalize-text.ts';

/** A word, normalised (`text`) and as typed (`raw`). A comma is a separate token, and phrases do not cross it. */
export interface Token {
  text: string;
  raw: string;
}

/** Splits a sentence into tokens; '16:00 – 17:00' and '4 p.m.' become one token each. */
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

/** Up to `maxTokens` words from `at`, ending before the next comma. */
export function phraseAt(tokens: readonly Token[], at: number, maxTokens: number): string[] {
  const texts = tokens.slice(at, at + maxTokens).map(({ text }) => text);
  const comma = texts.indexOf(',');
  return comma === -1 ? texts : texts.slice(0, comma);
}

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** '3' or 'three'; null for anything else. */
export function parseNumber(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const index = NUMBER_WORDS.indexOf(text);
  return index === -1 ? null : index + 1;
}
