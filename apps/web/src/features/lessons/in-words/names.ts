import { phrase, type Word, wordsOf } from './words.ts';

interface Named {
  name: string;
}

/** A name with its words apart, once for a whole sentence and for every letter typed. */
export interface Listed<Thing> {
  thing: Thing;
  parts: string[];
}

export const listed = <Thing extends Named>(things: readonly Thing[]): Listed<Thing>[] =>
  things.map((thing) => ({ thing, parts: wordsOf(thing.name).map(({ text }) => text) }));

/** All that a few words may mean, and how many words those are. */
interface NameTaken<Thing> {
  found: Thing[];
  words: number;
}

const LONGEST = 6;

/** A name in full, commas and all. It is looked for before anything else, so that a subject may be 'Sunday school'. */
export function readWholeName<Thing>(
  words: readonly Word[],
  at: number,
  things: readonly Listed<Thing>[],
): NameTaken<Thing> | null {
  const said = words.slice(at).map(({ text }) => text);
  const whole = things.filter(
    ({ parts }) => parts.length > 0 && parts.every((part, index) => part === said[index]),
  );
  const many = Math.max(0, ...whole.map(({ parts }) => parts.length));
  const found = whole.filter(({ parts }) => parts.length === many);
  return many === 0 ? null : { found: found.map(({ thing }) => thing), words: many };
}

/** The beginnings of a name's words: 'okaf', 'maya ok'. Those that meet a word in full go before those that only begin it. */
export function readPartOfName<Thing>(
  words: readonly Word[],
  at: number,
  things: readonly Listed<Thing>[],
): NameTaken<Thing> | null {
  return (
    longest(words, at, things, (one, other) => one === other) ??
    longest(words, at, things, (one, other) => one.length > 1 && other.startsWith(one))
  );
}

function longest<Thing>(
  words: readonly Word[],
  at: number,
  things: readonly Listed<Thing>[],
  meets: (word: string, part: string) => boolean,
): NameTaken<Thing> | null {
  const said = phrase(words, at, LONGEST);
  for (let many = said.length; many > 0; many--) {
    const start = said.slice(0, many);
    const found = things.filter(({ parts }) => runs(start, parts, meets));
    if (found.length > 0) return { found: found.map(({ thing }) => thing), words: many };
  }
  return null;
}

/** The words follow each other somewhere in the name. */
const runs = (
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
