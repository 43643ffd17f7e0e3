import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkDocs, findDocs } from './docs-lint/check-docs.ts';
import { NEEDS_STOP } from './migration-lint/project-rules.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'docs-lint-'));
  write('package.json', JSON.stringify({ scripts: { dev: 'node dev.ts' } }));
  write('docs/other.md', '# Other page\n\n## How it works\n');
  write('apps/server/src/api.ts', '');
  write('apps/server/migrations/0001_core.sql', '');
  write('packages/contract/src/dates.ts', '');
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(text: string): string[] {
  write('docs/page.md', text);
  return checkDocs(root, ['docs/page.md']);
}

test('accepts existing links, headings, commands and files', () => {
  const text = [
    'See [other](other.md), [a heading](other.md#how-it-works) and [the site](https://example.com).',
    'Run `npm run dev`, which starts `apps/server/src/api.ts`, or `server/src/api.ts` for short.',
    'The migration `0001_core.sql` uses `contract/dates.ts`; save `moves.sql` yourself.',
  ].join('\n');
  expect(check(text)).toEqual([]);
});

test.each([
  ['a missing page', '[gone](gone.md)', 'broken link gone.md'],
  ['a missing heading', '[gone](other.md#gone)', 'broken link other.md#gone'],
  ['an unknown command', '```sh\nnpm run gone\n```', '"npm run gone" does not exist'],
  ['a missing file', 'in `apps/server/src/gone.ts`', 'apps/server/src/gone.ts does not exist'],
  ['a partial path that matches no file', 'in `src/gone.ts`', 'src/gone.ts does not exist'],
  ['a missing migration', 'in `0002_gone.sql`', '0002_gone.sql does not exist'],
])('reports %s', (_case, text, problem) => {
  expect(check(text)).toEqual([`docs/page.md: ${problem}`]);
});

const repository = fileURLToPath(new URL('../', import.meta.url));

const pages = findDocs(repository);
const problems = checkDocs(repository, pages);

test.each(pages)('all links, commands and files in %s exist', (page) => {
  expect(problems.filter((problem) => problem.startsWith(`${page}: `))).toEqual([]);
});

test.each(['CHANGELOG.md', 'docs/operating/upgrade.md'])(
  '%s names every migration that requires the servers to be stopped',
  (page) => {
    const folder = join(repository, 'apps/server/migrations');
    const migrationsThatNeedStop = readdirSync(folder).filter((file) =>
      readFileSync(join(folder, file), 'utf8').startsWith(NEEDS_STOP),
    );
    expect(migrationsThatNeedStop.length).toBeGreaterThan(0);
    const text = readFileSync(join(repository, page), 'utf8');
    expect(migrationsThatNeedStop.filter((file) => !text.includes(file))).toEqual([]);
  },
);
