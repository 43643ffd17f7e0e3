import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockfileEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  license?: string;
  link?: boolean;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** Packages by install path, as in package-lock.json. */
export type Lockfile = ReadonlyMap<string, LockfileEntry>;

export function readLockfile(file: string): Lockfile {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, LockfileEntry>;
  };
  return new Map(Object.entries(packages));
}

/** Workspaces that run in production; tracing only if the operator adds it. */
export const SHIPPED_WORKSPACES = [
  'apps/server',
  'apps/web',
  'packages/contract',
  'packages/tracing',
] as const;

/** Packages that are not workspaces. */
export const externalPackages = (lock: Lockfile): [string, LockfileEntry][] =>
  [...lock].filter(([path, entry]) => path.includes('node_modules/') && !entry.link);

export const packageName = (path: string): string => path.replace(/^.*node_modules\//, '');

/** External dependencies in the package.json of each shipped workspace. */
export function directDependencies(root: string): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const workspace of SHIPPED_WORKSPACES) {
    const text = readFileSync(join(root, workspace, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies))
      if (!name.startsWith('@lessonbook/'))
        users.set(name, [...(users.get(name) ?? []), workspace]);
  }
  return users;
}

/** Install paths of all transitive dependencies of the shipped workspaces. */
export function findProductionPaths(lock: Lockfile): Set<string> {
  const found = new Set<string>();
  const queue: string[] = [...SHIPPED_WORKSPACES];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    const entry = lock.get(path);
    if (!entry || found.has(path)) continue;
    found.add(path);
    const required = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    };
    for (const name of Object.keys(required)) {
      const resolved = resolvePackage(lock, path, name);
      if (resolved !== undefined) queue.push(resolved);
    }
  }
  return new Set([...found].filter((path) => path.includes('node_modules/')));
}

/** Node's resolution; undefined for an optional package that is not installed. */
function resolvePackage(lock: Lockfile, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.has(candidate)) return candidate;
    if (folder === '') return undefined;
  }
}
