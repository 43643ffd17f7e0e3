/**
 * Runs the end-to-end tests in a real browser, against an up-to-date build of the web app.
 *   npm run e2e                  all tests; `npm run spec` reads the results
 *   npm run e2e -- login         only matching tests; arguments are passed to Playwright, and results are not saved
 *   npm run shots                only tests tagged @shots, which take screenshots for the guide and the contact sheets
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const CONFIG = join(root, 'e2e/playwright.config.ts');
const RESULTS = join(root, '.cache/results/e2e.json');

const args = process.argv.slice(2);
const isScreenshotRun = args.includes('--shots');
const playwrightArgs = args.filter((arg) => arg !== '--shots');

if (!existsSync(CONFIG)) {
  console.error('e2e/playwright.config.ts does not exist');
  process.exit(1);
}
if (isBuildStale()) run('npm', ['run', 'build']);

const isFullRun = !isScreenshotRun && playwrightArgs.length === 0;
if (isFullRun) rmSync(RESULTS, { force: true });
run(
  join(root, 'node_modules/.bin/playwright'),
  [
    'test',
    `--config=${CONFIG}`,
    isScreenshotRun ? '--grep=@shots' : '--grep-invert=@shots',
    isFullRun ? '--reporter=list,json' : '--reporter=list',
    ...playwrightArgs,
  ],
  { PLAYWRIGHT_JSON_OUTPUT_FILE: RESULTS },
);
if (isScreenshotRun && playwrightArgs.length === 0)
  run(process.execPath, [join(root, 'e2e/contact-sheets.ts')]);

function run(command: string, commandArgs: string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync(command, commandArgs, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

function isBuildStale(): boolean {
  const built = join(root, 'apps/web/dist/index.html');
  if (!existsSync(built)) return true;
  const sources = ['apps/web', 'packages/contract/src', 'package-lock.json'];
  return (
    Math.max(...sources.map((path) => latestChange(join(root, path)))) > statSync(built).mtimeMs
  );
}

function latestChange(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const names = readdirSync(path).filter((name) => !/^(\.|node_modules$|dist$)/.test(name));
  return Math.max(0, ...names.map((name) => latestChange(join(path, name))));
}
