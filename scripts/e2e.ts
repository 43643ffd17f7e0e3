/**
 * Runs the journeys in a real browser, on a fresh build of the web app.
 *   npm run e2e                  all of them; the results count for `npm run spec`
 *   npm run e2e -- login         some of them; arguments go to Playwright, results are not kept
 *   npm run shots                only the ones tagged @shots, which take pictures for the guide and its contact sheets
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const CONFIG = join(root, 'e2e/playwright.config.ts');
const RESULTS = join(root, '.cache/results/e2e.json');

const given = process.argv.slice(2);
const shots = given.includes('--shots');
const chosen = given.filter((argument) => argument !== '--shots');

if (!existsSync(CONFIG)) {
  console.error('There are no journeys yet: e2e/playwright.config.ts is missing');
  process.exit(1);
}
if (isBuildStale()) run('npm', ['run', 'build']);

const isWholeRun = !shots && chosen.length === 0;
if (isWholeRun) rmSync(RESULTS, { force: true });
run(
  join(root, 'node_modules/.bin/playwright'),
  [
    'test',
    `--config=${CONFIG}`,
    shots ? '--grep=@shots' : '--grep-invert=@shots',
    isWholeRun ? '--reporter=list,json' : '--reporter=list',
    ...chosen,
  ],
  { PLAYWRIGHT_JSON_OUTPUT_FILE: RESULTS },
);
if (shots && chosen.length === 0) run(process.execPath, [join(root, 'e2e/contact-sheets.ts')]);

function run(command: string, args: string[], env: Record<string, string> = {}): void {
  const { status } = spawnSync(command, args, {
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
  return Math.max(...sources.map((path) => newestIn(join(root, path)))) > statSync(built).mtimeMs;
}

function newestIn(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  const inside = readdirSync(path).filter((name) => !/^(\.|node_modules$|dist$)/.test(name));
  return Math.max(0, ...inside.map((name) => newestIn(join(path, name))));
}
