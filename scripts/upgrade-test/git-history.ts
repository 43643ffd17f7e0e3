import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

export const MIGRATIONS_FOLDER = 'apps/server/migrations';

export interface PreviousVersion {
  commit: string;
  /** Migrations added since that commit. */
  newFiles: string[];
}

function runGit(root: string, ...args: string[]): string {
  return execFileSync('git', ['-C', root, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 2 ** 28,
  }).trim();
}

/** Why there is no upgrade to test. */
export interface NoUpgrade {
  reason: string;
}

export const NO_HISTORY: NoUpgrade = {
  reason: 'no git history, so the server before the newest migration is not known',
};
export const AT_BASELINE: NoUpgrade = {
  reason: 'no migration after the baseline (0001 to 0008), so there is no schema to upgrade from',
};

/** Migrations up to this number are the baseline; older schemas are not supported. */
const LAST_BASELINE_NUMBER = 8;
const isBaseline = (name: string): boolean => Number.parseInt(name, 10) <= LAST_BASELINE_NUMBER;

/**
 * The version that runs when the newest migration is applied: the commit before the one that added it, or HEAD if it is not
 * committed yet. There is none in a shallow checkout, and none while the baseline is the newest migration.
 */
export function findPreviousVersion(root: string): PreviousVersion | NoUpgrade {
  const files = readdirSync(join(root, MIGRATIONS_FOLDER)).toSorted();
  if (files.every(isBaseline)) return AT_BASELINE;
  try {
    const isNew = runGit(root, 'status', '--porcelain', '--', MIGRATIONS_FOLDER) !== '';
    const commit = isNew ? runGit(root, 'rev-parse', 'HEAD') : commitBeforeNewest(root);
    const oldPaths = runGit(root, 'ls-tree', '--name-only', commit, `${MIGRATIONS_FOLDER}/`).split(
      '\n',
    );
    const known = new Set(oldPaths.map((path) => path.slice(MIGRATIONS_FOLDER.length + 1)));
    const newFiles = files.filter((name) => !known.has(name));
    return newFiles.some(isBaseline) ? AT_BASELINE : { commit, newFiles };
  } catch {
    // No git, no repository or no parent commit.
    return NO_HISTORY;
  }
}

/** The commit before the one that added a migration; null without history. */
export function findCommitBefore(root: string, migration: string): string | null {
  const path = `${MIGRATIONS_FOLDER}/${migration}`;
  try {
    const added = runGit(
      root,
      'log',
      '-1',
      '--no-renames',
      '--diff-filter=A',
      '--format=%H',
      '--',
      path,
    );
    return runGit(root, 'rev-parse', '--verify', added === '' ? 'HEAD' : `${added}^`);
  } catch {
    return null;
  }
}

function commitBeforeNewest(root: string): string {
  const added = runGit(
    root,
    'log',
    '-1',
    '--no-renames',
    '--diff-filter=A',
    '--format=%H',
    '--',
    MIGRATIONS_FOLDER,
  );
  return runGit(root, 'rev-parse', '--verify', `${added}^`);
}

/**
 * Extracts a commit into a folder, with links to the currently installed packages and to its own workspaces. Packages
 * that have been removed since then are missing.
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
  const workspaces = join(folder, 'node_modules/@lessonbook');
  mkdirSync(workspaces);
  for (const [name, path] of [
    ['contract', 'packages/contract'],
    ['server', 'apps/server'],
  ] as const)
    symlinkSync(join(folder, path), join(workspaces, name));
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
