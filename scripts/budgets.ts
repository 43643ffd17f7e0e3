/**
 * Measures the gzipped bundle sizes of a build: the first load of every page, and what each lazy feature adds to it.
 *   npm run budgets                     exits with 1 when anything is over budget
 *   npm run budgets -- --dist FOLDER    measures a build other than apps/web/dist
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Manifest } from '../apps/web/build/vite-manifest.ts';
import { type BundleSize, measureBundles, measureFonts } from './budgets/bundle-size.ts';
import { BUDGETS, readPageKinds } from './budgets/page-budgets.ts';

const { values: flags } = parseArgs({
  options: {
    dist: {
      type: 'string',
      default: fileURLToPath(new URL('../apps/web/dist', import.meta.url)),
    },
  },
});

const manifest = JSON.parse(readBuildFile('.vite/manifest.json')) as Manifest;
const fonts = [
  ...readBuildFile('index.html').matchAll(/rel="preload" as="font"[^>]*href="\/([^"]+)"/g),
];
const landingFiles = [
  ...readBuildFile('landing.html').matchAll(/(?:src|href)="\/([^"]+\.(?:js|css))"/g),
].map(([, file = '']) => file);
const sizes = [
  ...measureBundles({
    manifest,
    landingFiles,
    pages: readPageKinds(),
    sizeOf: (file) => sizeInKb(`${file}.gz`),
  }),
  measureFonts(
    fonts.map(([, file = '']) => file),
    sizeInKb,
  ),
];

console.log(formatRow('', 'kind', 'JS', 'limit', `CSS ≤ ${BUDGETS.style}`));
for (const size of sizes) print(size);
const overBudget = sizes.filter(({ isOver }) => isOver);
console.log(
  overBudget.length === 0 ? '\nAll within budget.' : `\n${overBudget.length} over budget.`,
);
process.exitCode = overBudget.length === 0 ? 0 : 1;

function print({ name, kind, script, style, limit, isOver }: BundleSize): void {
  const line = formatRow(name, kind, script.toFixed(1), String(limit), style.toFixed(1));
  console.log(isOver ? `${line}  OVER` : line);
}

function formatRow(
  name: string,
  kind: string,
  script: string,
  limit: string,
  style: string,
): string {
  return `${name.padEnd(22)} ${kind.padEnd(8)} ${script.padStart(6)} ${limit.padStart(6)} ${style.padStart(9)}`;
}

function sizeInKb(file: string): number {
  return statSync(join(flags.dist, file)).size / 1000;
}

function readBuildFile(file: string): string {
  return readFileSync(join(flags.dist, file), 'utf8');
}
