import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
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
  reason: 'no git history, so the version before the newest migration is unknown',
};
export const AT_BASELINE: NoUpgrade = {
  reason: 'no migration after the baseline (0001 to 0008), so there is no schema to upgrade from',
};

/** Migrations up to this number are the baseline; older schemas are not supported. */
const LAST_BASELINE_NUMBER = 8;
const isBaseline = (name: string): boolean => Number.parseInt(name, 10) <= LAST_BASELINE_NUMBER;

/**
 * The version that is running when the newest migration is applied: the commit before the one that added it, or HEAD if it is not
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

/** The commit before the one that added a migration; null if there is no history. */
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
