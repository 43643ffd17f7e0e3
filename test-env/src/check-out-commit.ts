import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const WORKSPACES = [
  ['contract', 'packages/contract'],
  ['server', 'apps/server'],
  ['fakes', 'fakes'],
  ['test-env', 'test-env'],
] as const;

/**
 * Extracts a commit into a folder, with links to the currently installed packages and to its own workspaces. Packages
 * that have been removed since that commit are missing.
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
  for (const [name, path] of WORKSPACES) symlinkSync(join(folder, path), join(workspaces, name));
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
