import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const MIGRATIONS = 'apps/server/migrations';

export interface PreviousVersion {
  commit: string;
  /** Migrations that were not there yet. */
  newFiles: string[];
}

function git(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  }).trim();
}

/** Why there is no upgrade to rehearse. */
export interface NoUpgrade {
  reason: string;
}

export const NO_HISTORY: NoUpgrade = {
  reason: 'no git history, so the server before the newest migration is not known',
};
export const AT_BASELINE: NoUpgrade = {
  reason: 'no migration after the baseline (0001 to 0008), so there is no schema to upgrade from',
};

/** Files up to this number are the baseline: no database with an older schema is supported. */
const BASELINE = 8;
const isBaseline = (name: string): boolean => Number.parseInt(name, 10) <= BASELINE;

/**
 * The state that a running server may be in when the newest migration arrives: the commit before the one that added it, or
 * the last commit where it is not committed yet. There is none where the history is cut off, as in a shallow checkout, and
 * none while the baseline is the newest migration.
 */
export function findPreviousVersion(root: string): PreviousVersion | NoUpgrade {
  const files = readdirSync(join(root, MIGRATIONS)).toSorted();
  if (files.every(isBaseline)) return AT_BASELINE;
  try {
    const isNew = git(root, 'status', '--porcelain', '--', MIGRATIONS) !== '';
    const commit = isNew ? git(root, 'rev-parse', 'HEAD') : commitBeforeNewest(root);
    const then = git(root, 'ls-tree', '--name-only', commit, `${MIGRATIONS}/`).split('\n');
    const known = new Set(then.map((path) => path.slice(MIGRATIONS.length + 1)));
    const newFiles = files.filter((name) => !known.has(name));
    return newFiles.some(isBaseline) ? AT_BASELINE : { commit, newFiles };
  } catch {
    // No git, no repository, or no parent to be found.
    return NO_HISTORY;
  }
}

function commitBeforeNewest(root: string): string {
  const added = git(
    root,
    'log',
    '-1',
    '--no-renames',
    '--diff-filter=A',
    '--format=%H',
    '--',
    MIGRATIONS,
  );
  return git(root, 'rev-parse', '--verify', `${added}^`);
}

/**
 * Lays the files of a commit out in a folder, with today's packages beside them and its own workspaces. Packages that were
 * dropped since would be missing; none was so far.
 */
export function checkOutCommit(root: string, commit: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('bash', [
    '-c',
    'set -o pipefail; git -C "$1" archive "$2" | tar -x -C "$3"',
    'bash',
    root,
    commit,
    folder,
  ]);
  linkPackages(join(root, 'node_modules'), join(folder, 'node_modules'));
  const ours = join(folder, 'node_modules/@lessonbook');
  mkdirSync(ours);
  for (const [name, path] of [
    ['contract', 'packages/contract'],
    ['server', 'apps/server'],
  ] as const)
    symlinkSync(join(folder, path), join(ours, name));
  linkPackages(join(root, 'apps/server/node_modules'), join(folder, 'apps/server/node_modules'));
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  let names: string[];
  try {
    names = readdirSync(from);
  } catch {
    return;
  }
  for (const name of names)
    if (name !== '@lessonbook' && !name.startsWith('.'))
      symlinkSync(join(from, name), join(to, name));
}
