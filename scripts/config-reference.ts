/**
 * Writes docs/configuration.md from the list of settings; with `--verify` only compares, so that a setting cannot land
 * without its place in the reference.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { configurationReference } from './reference/configuration.ts';

const file = new URL('../docs/configuration.md', import.meta.url);
const wanted = configurationReference();

if (!process.argv.includes('--verify')) writeFileSync(file, wanted);
else if (readFileSync(file, 'utf8') !== wanted) {
  console.error('docs/configuration.md is older than the settings: npm run config:reference');
  process.exitCode = 1;
}
