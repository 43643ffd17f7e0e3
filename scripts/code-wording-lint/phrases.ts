/** Phrases that no identifier, comment or test title may contain. */
export const BANNED_PHRASES = [
  'whoever',
  'by itself',
  'by themselves',
  'in vain',
  'on the wall',
  'taken back',
  'knock',
  'errand',
  'beliefs',
  'in the same breath',
  'at hand',
];

/** Phrases that no text for tutors and families may contain, besides the banned ones. */
export const BANNED_UI_PHRASES = [
  'e-mail',
  'your book',
  'the book',
  'stands',
  'run out',
  'take back',
  'tick off',
  'mend',
  'whom',
  'nobody',
  'somebody',
  'could not be loaded',
];

/** Words that are sometimes correct; the number of their uses may only fall. */
export const AMBIGUOUS_PHRASES = [
  'stands',
  'told',
  'tell',
  'hear',
  'wish',
  'mend',
  'the book',
  'nobody',
  'somebody',
];

const patterns = new Map(
  [...new Set([...BANNED_PHRASES, ...BANNED_UI_PHRASES, ...AMBIGUOUS_PHRASES])].map((phrase) => [
    phrase,
    new RegExp(`(?<![\\w'])${phrase}(?![\\w'])`, 'g'),
  ]),
);

/** How many times a listed phrase occurs in a string, counting only whole words. */
export function countPhrase(text: string, phrase: string): number {
  const pattern = patterns.get(phrase);
  // Most texts contain none of the phrases, and includes() is much cheaper than the pattern.
  if (pattern === undefined || !text.includes(phrase)) return 0;
  return text.match(pattern)?.length ?? 0;
}
