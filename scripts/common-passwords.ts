/**
 * Makes the list of passwords that nobody may choose, out of a file with one password in each line, the most common first:
 *   node scripts/common-passwords.ts 10_million_password_list_top_1M.txt
 * Only beginnings of hashes are kept: nobody wants to read such a list, and telling whether a word is on it is all we need.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const PASSWORD_COUNT = 50_000;
/** Forty bits: of a thousand million good passwords, some forty would be refused by mistake. */
const HASH_BYTES = 5;
const MIN_LENGTH = 8;

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Which file?');

const words = readFileSync(source, 'utf8')
  .split('\n')
  .map((line) => line.trim().toLowerCase())
  .filter((word) => word.length >= MIN_LENGTH);
const hashes = [...new Set(words)]
  .slice(0, PASSWORD_COUNT)
  .map((word) => createHash('sha256').update(word).digest().subarray(0, HASH_BYTES))
  .toSorted((one, other) => one.compare(other));
writeFileSync(
  new URL('../apps/server/src/platform/common-passwords.bin', import.meta.url),
  Buffer.concat(hashes),
);
console.log(`${hashes.length} passwords`);
