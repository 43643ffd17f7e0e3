/**
 * Generates the list of rejected passwords from a file with one password per line, most common first:
 *   node scripts/generate-common-passwords.ts 10_million_password_list_top_1M.txt
 * Only hash prefixes are stored, which is enough to look up a password.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const PASSWORD_COUNT = 50_000;
/** 40 bits: about 45 in every billion uncommon passwords are rejected by mistake. */
const HASH_BYTES = 5;
const MIN_LENGTH = 8;

const [source] = process.argv.slice(2);
if (source === undefined) throw new Error('Usage: node scripts/generate-common-passwords.ts FILE');

const passwords = readFileSync(source, 'utf8')
  .split('\n')
  .map((line) => line.trim().toLowerCase())
  .filter((password) => password.length >= MIN_LENGTH);
const hashes = [...new Set(passwords)]
  .slice(0, PASSWORD_COUNT)
  .map((password) => createHash('sha256').update(password).digest().subarray(0, HASH_BYTES))
  .toSorted((a, b) => a.compare(b));
writeFileSync(
  new URL('../apps/server/src/platform/crypto/common-passwords.bin', import.meta.url),
  Buffer.concat(hashes),
);
console.log(`Wrote the hashes of ${hashes.length} passwords.`);
