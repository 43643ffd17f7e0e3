import { readFileSync } from 'node:fs';
import { sha256 } from './crypto.ts';

/** Beginnings of hashes, in order, one after the other; made by scripts/common-passwords.ts. */
const marks = readFileSync(new URL('./common-passwords.bin', import.meta.url));
const BYTES = 5;

/** Whether it is among the 50,000 that turn up most in what was stolen elsewhere, in whatever letter case. */
export function isCommonPassword(password: string): boolean {
  const mark = sha256(password.toLowerCase()).subarray(0, BYTES);
  let from = 0;
  let to = marks.length / BYTES;
  while (from < to) {
    const middle = (from + to) >> 1;
    const order = mark.compare(marks, middle * BYTES, (middle + 1) * BYTES);
    if (order === 0) return true;
    if (order < 0) to = middle;
    else from = middle + 1;
  }
  return false;
}
