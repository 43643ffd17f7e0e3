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

/** Words that are sometimes correct; the number of uses may only fall. */
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

/** How often a phrase occurs in a text, counting only whole words. */
export function countPhrase(text: string, phrase: string): number {
  return [...text.matchAll(new RegExp(`(?<![\\w'])${phrase}(?![\\w'])`, 'g'))].length;
}
