/**
 * Generates docs/configuration.md from the settings. `--verify` only compares the page with the settings, so that CI fails on
 * an undocumented setting.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { renderConfigReference } from './reference/render-config-reference.ts';

const file = new URL('../docs/configuration.md', import.meta.url);
const reference = renderConfigReference();

if (!process.argv.includes('--verify')) writeFileSync(file, reference);
else if (readFileSync(file, 'utf8') !== reference) {
  console.error('docs/configuration.md is out of date. Run npm run config:reference.');
  process.exitCode = 1;
}
