import { normalizeText } from '@lessonbook/contract/normalize-text';

interface Named {
  name: string;
}

/** An item with its name split into words, normalised and as spelled, computed once for all keystrokes. */
export interface IndexedName<Item> {
  item: Item;
  parts: string[];
  spelling: string[];
}

export const indexNames = <Item extends Named>(items: readonly Item[]): IndexedName<Item>[] =>
  items.map((item) => {
    const tokens = tokenize(item.name);
    return {
      item,
      parts: tokens.map(({ text }) => text),
      spelling: tokens.map(({ raw }) => raw),
    };
  });

/** All items that the tokens may refer to, and how many tokens were used. */
interface NameMatch<Item> {
  found: Item[];
  tokenCount: number;
}

const MAX_NAME_WORDS = 6;

/** Matches a full name, including commas. Tried before anything else, so that a subject may be 'Sunday school'. */
export function matchFullName<Item>(
  tokens: readonly Token[],
  at: number,
  items: readonly IndexedName<Item>[],
): NameMatch<Item> | null {
  const texts = tokens.slice(at).map(({ text }) => text);
  const matches = items.filter(
    ({ parts }) => parts.length > 0 && parts.every((part, index) => part === texts[index]),
  );
  const longest = Math.max(0, ...matches.map(({ parts }) => parts.length));
  const longestMatches = matches.filter(({ parts }) => parts.length === longest);
  // 'Zoë' means Zoë rather than Zoe if there are both.
  const spelledAsTyped = longestMatches.filter(({ spelling }) =>
    spelling.every((word, index) => word === tokens[at + index]?.raw),
  );
  const found = spelledAsTyped.length > 0 ? spelledAsTyped : longestMatches;
  return longest === 0 ? null : { found: found.map(({ item }) => item), tokenCount: longest };
}

/** Matches whole words of a name or, failing that, prefixes of its words: 'okaf', 'maya ok'. */
export function matchPartialName<Item>(
  tokens: readonly Token[],
  at: number,
  items: readonly IndexedName<Item>[],
): NameMatch<Item> | null {
  return (
    matchLongest(tokens, at, items, (word, part) => word === part) ??
    matchLongest(tokens, at, items, (word, part) => word.length > 1 && part.startsWith(word))
  );
}

function matchLongest<Item>(
  tokens: readonly Token[],
  at: number,
  items: readonly IndexedName<Item>[],
  matches: (word: string, part: string) => boolean,
): NameMatch<Item> | null {
  const phrase = phraseAt(tokens, at, MAX_NAME_WORDS);
  for (let count = phrase.length; count > 0; count--) {
    const words = phrase.slice(0, count);
    const found = items.filter(({ parts }) => matchesSequence(words, parts, matches));
    if (found.length > 0) return { found: found.map(({ item }) => item), tokenCount: count };
  }
  return null;
}

/** Whether the words match consecutive parts anywhere in the name. */
const matchesSequence = (
  words: readonly string[],
  parts: readonly string[],
  matches: (word: string, part: string) => boolean,
): boolean =>
  parts.some((_, from) =>
    words.every((word, index) => {
      const part = parts[from + index];
      return part !== undefined && matches(word, part);
    }),
  );

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
