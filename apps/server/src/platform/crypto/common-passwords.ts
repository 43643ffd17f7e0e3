import { readFileSync } from 'node:fs';
import { sha256 } from './tokens.ts';

/** Beginnings of hashes, in order, one after the other; made by scripts/common-passwords.ts. */
const hashPrefixes = readFileSync(new URL('../common-passwords.bin', import.meta.url));
const PREFIX_BYTES = 5;

/** Whether it is among the 50,000 that turn up most in what was stolen elsewhere, in whatever letter case. */
export function isCommonPassword(password: string): boolean {
  const prefix = sha256(password.toLowerCase()).subarray(0, PREFIX_BYTES);
  let from = 0;
  let to = hashPrefixes.length / PREFIX_BYTES;
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = prefix.compare(hashPrefixes, middle * PREFIX_BYTES, (middle + 1) * PREFIX_BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}
