/** Numbers that look random and come again in the same order for the same seed (mulberry32). */
export type RandomSource = () => number;

export function seededRandom(seed: number): RandomSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** What an id begins with, how many letters follow, and which. */
export type IdFormat = readonly [prefix: string, length: number, letters?: string];

/** Ids as long as the vendor's own: a column that is too narrow shows here. */
export function createIdGenerator<K extends string>(
  shapes: Readonly<Record<K, IdFormat>>,
  random: RandomSource,
): (kind: K) => string {
  return (kind) => {
    const [prefix, length, letters = LETTERS] = shapes[kind];
    let id = prefix;
    for (let count = 0; count < length; count += 1) {
      id += letters[Math.floor(random() * letters.length)];
    }
    return id;
  };
}
