import { fold } from '../../../lib/fold.ts';

/** One word of the sentence: as it is compared, and as it was typed. A comma is a word that nothing reaches across. */
export interface Word {
  text: string;
  said: string;
}

/** What stands between the tutor's words and ours: '16:00 – 17:00' is one time, '4 p.m.' one word. */
export function wordsOf(sentence: string): Word[] {
  return (
    sentence
      .replace(/[–—−]/g, '-')
      .replace(/\b([ap])\.\s?m\b\.?/gi, '$1m')
      .replace(/(\d)\s+(?=[ap]m\b)/gi, '$1')
      .replace(/(\d|\d[ap]m)\s*-\s*(?=\d)/gi, '$1-')
      // '£1,250' is one amount.
      .replace(/,(?!\d{3}(?!\d))/g, ' , ')
      .split(/\s+/)
      .map((said) => said.replace(/^["“(@]+|["”)?!.;:]+$/g, ''))
      .filter((said) => said !== '')
      .map((said) => ({ text: fold(said), said }))
  );
}

/** The words from `at` on, as many as a pattern of ours may have, up to the next comma. */
export function phrase(words: readonly Word[], at: number, atMost: number): string[] {
  const texts = words.slice(at, at + atMost).map(({ text }) => text);
  const comma = texts.indexOf(',');
  return comma === -1 ? texts : texts.slice(0, comma);
}

const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** '3' or 'three'; none for anything else. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,3}$/.test(text)) return Number(text);
  const index = NUMBERS.indexOf(text);
  return index === -1 ? null : index + 1;
}
