/**
 * Measures gzipped bundle sizes in the built files: the first load of every page, and what each lazy feature adds to it.
 *   npm run budgets                     exits with 1 when anything is over budget
 *   npm run budgets -- --dist FOLDER    measures a build other than apps/web/dist
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Manifest } from '../apps/web/build/manifest.ts';
import { type BundleSize, measureBundles, measureFonts } from './budgets/bundle-size.ts';
import { BUDGETS } from './budgets/pages.ts';

const { values: flags } = parseArgs({
  options: {
    dist: {
      type: 'string',
      default: fileURLToPath(new URL('../apps/web/dist', import.meta.url)),
    },
  },
});

const manifest = JSON.parse(read('.vite/manifest.json')) as Manifest;
const fonts = [...read('index.html').matchAll(/rel="preload" as="font"[^>]*href="\/([^"]+)"/g)];
const sizes = [
  ...measureBundles(manifest, (file) => kb(`${file}.gz`)),
  measureFonts(
    fonts.map(([, file = '']) => file),
    kb,
  ),
];

console.log(row('', 'kind', 'JS', 'limit', `CSS ≤ ${BUDGETS.style}`));
for (const size of sizes) print(size);
const over = sizes.filter(({ isOver }) => isOver);
console.log(over.length === 0 ? '\nAll within budget.' : `\n${over.length} over budget.`);
process.exitCode = over.length === 0 ? 0 : 1;

function print({ name, kind, script, style, limit, isOver }: BundleSize): void {
  const line = row(name, kind, script.toFixed(1), String(limit), style.toFixed(1));
  console.log(isOver ? `${line}  OVER` : line);
}

function row(name: string, kind: string, script: string, limit: string, style: string): string {
  return `${name.padEnd(22)} ${kind.padEnd(8)} ${script.padStart(6)} ${limit.padStart(6)} ${style.padStart(9)}`;
}

function kb(file: string): number {
  return statSync(join(flags.dist, file)).size / 1000;
}

function read(file: string): string {
  return readFileSync(join(flags.dist, file), 'utf8');
}
