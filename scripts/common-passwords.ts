/**
 * Makes the list of passwords that nobody may choose, out of a file with one password in each line, the most common first:
 *   node scripts/common-passwords.ts 10_million_password_list_top_1M.txt
 * Only beginnings of hashes are kept: nobody wants to read such a list, and telling whether a word is on it is all we need.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const HOW_MANY = 50_000;
/** Forty bits: of a thousand million good passwords, some forty would be refused by mistake. */
const BYTES = 5;
const SHORTEST = 8;

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Which file?');

const words = readFileSync(source, 'utf8')
  .split('\n')
  .map((line) => line.trim().toLowerCase())
  .filter((word) => word.length >= SHORTEST);
const marks = [...new Set(words)]
  .slice(0, HOW_MANY)
  .map((word) => createHash('sha256').update(word).digest().subarray(0, BYTES))
  .toSorted((one, other) => one.compare(other));
writeFileSync(
  new URL('../apps/server/src/platform/common-passwords.bin', import.meta.url),
  Buffer.concat(marks),
);
console.log(`${marks.length} passwords`);
