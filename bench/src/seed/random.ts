/** A pseudo-random number that depends only on its input. */
export function hashNumbers(...parts: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) {
    state = Math.imul(state ^ part, 0x85ebca6b);
    state ^= state >>> 13;
    state = Math.imul(state, 0xc2b2ae35);
    state ^= state >>> 16;
  }
  return state >>> 0;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const PAIRS = Array.from(
  { length: 4096 },
  (_, n) => `${ALPHABET[n >>> 6] ?? ''}${ALPHABET[n & 63] ?? ''}`,
);

/** An id as long and as incompressible as the server's, which have 24 random bytes. */
export function publicId(kind: number, tutor: number, row: number): string {
  let bits = hashNumbers(kind, tutor, row) | 1;
  let id = '';
  for (let part = 0; part < 8; part += 1) {
    bits ^= bits << 13;
    bits ^= bits >>> 17;
    bits ^= bits << 5;
    id += `${PAIRS[bits & 4095] ?? ''}${PAIRS[(bits >>> 12) & 4095] ?? ''}`;
  }
  return id;
}

/** Pseudo-random numbers in [0, 1), so that the load is the same for every database size and in every run. */
export function randomStream(seed: number): () => number {
  let count = 0;
  return () => {
    count += 1;
    return hashNumbers(seed, count) / 2 ** 32;
  };
}
