/** A seeded pseudo-random number generator. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive), generated with mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new Error('Nothing to pick from');
    return from[Math.floor(this.next() * from.length)] as T;
  }
}

/** The value of SEED if set, so that a run can be repeated; otherwise a random seed. */
export function seedFromEnvironment(): number {
  const value = process.env['SEED'];
  if (value === undefined || value === '') return Math.floor(Math.random() * 1_000_000_000);
  const seed = Number(value);
  if (!Number.isSafeInteger(seed)) throw new Error(`SEED must be a whole number, not "${value}"`);
  return seed;
}

export const isLongRun = (): boolean => process.env['LONG'] === '1';
