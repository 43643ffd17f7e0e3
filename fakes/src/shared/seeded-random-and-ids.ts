/** Pseudo-random numbers, reproducible by seed (mulberry32). */
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

const ALPHANUMERIC = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Prefix, number of characters after it, and their alphabet. */
export type IdFormat = readonly [prefix: string, length: number, alphabet?: string];

/** Ids have the same length as the vendor's, so that a column that is too narrow fails in tests. */
export function createIdGenerator<K extends string>(
  formats: Readonly<Record<K, IdFormat>>,
  random: RandomSource,
): (kind: K) => string {
  return (kind) => {
    const [prefix, length, alphabet = ALPHANUMERIC] = formats[kind];
    let id = prefix;
    for (let count = 0; count < length; count += 1) {
      id += alphabet[Math.floor(random() * alphabet.length)];
    }
    return id;
  };
}
