import { phraseAt, type Token, tokenize } from './tokenize.ts';

interface Named {
  name: string;
}

/** A name with its words apart, once for a whole sentence and for every letter typed. */
export interface IndexedName<Thing> {
  thing: Thing;
  parts: string[];
}

export const indexNames = <Thing extends Named>(things: readonly Thing[]): IndexedName<Thing>[] =>
  things.map((thing) => ({ thing, parts: tokenize(thing.name).map(({ text }) => text) }));

/** All that a few words may mean, and how many words those are. */
interface NameMatch<Thing> {
  found: Thing[];
  tokenCount: number;
}

const MAX_NAME_WORDS = 6;

/** A name in full, commas and all. It is looked for before anything else, so that a subject may be 'Sunday school'. */
export function matchFullName<Thing>(
  words: readonly Token[],
  at: number,
  things: readonly IndexedName<Thing>[],
): NameMatch<Thing> | null {
  const said = words.slice(at).map(({ text }) => text);
  const whole = things.filter(
    ({ parts }) => parts.length > 0 && parts.every((part, index) => part === said[index]),
  );
  const many = Math.max(0, ...whole.map(({ parts }) => parts.length));
  const found = whole.filter(({ parts }) => parts.length === many);
  return many === 0 ? null : { found: found.map(({ thing }) => thing), tokenCount: many };
}

/** The beginnings of a name's words: 'okaf', 'maya ok'. Those that meet a word in full go before those that only begin it. */
export function matchPartialName<Thing>(
  words: readonly Token[],
  at: number,
  things: readonly IndexedName<Thing>[],
): NameMatch<Thing> | null {
  return (
    matchLongest(words, at, things, (one, other) => one === other) ??
    matchLongest(words, at, things, (one, other) => one.length > 1 && other.startsWith(one))
  );
}

function matchLongest<Thing>(
  words: readonly Token[],
  at: number,
  things: readonly IndexedName<Thing>[],
  meets: (word: string, part: string) => boolean,
): NameMatch<Thing> | null {
  const said = phraseAt(words, at, MAX_NAME_WORDS);
  for (let many = said.length; many > 0; many--) {
    const start = said.slice(0, many);
    const found = things.filter(({ parts }) => matchesSequence(start, parts, meets));
    if (found.length > 0) return { found: found.map(({ thing }) => thing), tokenCount: many };
  }
  return null;
}

/** The words follow each other somewhere in the name. */
const matchesSequence = (
  said: readonly string[],
  name: readonly string[],
  meets: (word: string, part: string) => boolean,
): boolean =>
  name.some((_, from) =>
    said.every((word, index) => {
      const part = name[from + index];
      return part !== undefined && meets(word, part);
    }),
  );
