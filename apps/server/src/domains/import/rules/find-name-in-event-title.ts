import { normalizeText } from '@lessonbook/contract/normalize-text';

/** Finds who or what a calendar event is about: 'Maths with Maya', 'Maya Okafor (GCSE)'. Null unless exactly one fits best. */
export function findNamedItem<Item extends { name: string }>(
  summary: string,
  items: readonly Item[],
): Item | null {
  const words = toWords(summary);
  const scored = items
    .map((item) => ({ item, score: scoreOf(toWords(item.name), words) }))
    .filter(({ score }) => score > 0);
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const candidates = scored.filter(({ score }) => score === best);
  return candidates.length === 1 ? (candidates[0]?.item ?? null) : null;
}

/** The number of leading words of the name that the summary contains, plus one if it contains the whole name. */
function scoreOf(name: readonly string[], summary: readonly string[]): number {
  const missing = name.findIndex((word) => !summary.includes(word));
  return missing === -1 ? name.length + 1 : missing;
}

const toWords = (text: string): string[] =>
  normalizeText(text)
    .replace(/'s\b/g, '')
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '');
