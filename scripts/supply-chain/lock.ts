import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LockEntry {
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

/** By the path at which it is installed, as in package-lock.json. */
export type Lock = ReadonlyMap<string, LockEntry>;

export function readLock(file: string): Lock {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  return new Map(Object.entries(packages));
}

/** What runs in production: everything else serves to make it. */
export const SHIPPED = ['apps/server', 'apps/web', 'packages/contract'] as const;

/** Packages from elsewhere, not our own workspaces. */
export const externalPackages = (lock: Lock): [string, LockEntry][] =>
  [...lock].filter(([path, entry]) => path.includes('node_modules/') && !entry.link);

export const packageName = (path: string): string => path.replace(/^.*node_modules\//, '');

/** What each shipped workspace names itself, without those of our own. */
export function directDependencies(root: string): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const workspace of SHIPPED) {
    const text = readFileSync(join(root, workspace, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(text) as { dependencies?: Record<string, string> };
    for (const name of Object.keys(dependencies))
      if (!name.startsWith('@lessonbook/'))
        users.set(name, [...(users.get(name) ?? []), workspace]);
  }
  return users;
}

/** Everything that the shipped workspaces bring along, by path. */
export function productionPaths(lock: Lock): Set<string> {
  const found = new Set<string>();
  const waiting: string[] = [...SHIPPED];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = lock.get(path);
    if (!entry || found.has(path)) continue;
    found.add(path);
    const wanted = {
      ...entry.dependencies,
      ...entry.optionalDependencies,
      ...entry.peerDependencies,
    };
    for (const name of Object.keys(wanted)) {
      const place = resolvePackage(lock, path, name);
      if (place !== undefined) waiting.push(place);
    }
  }
  return new Set([...found].filter((path) => path.includes('node_modules/')));
}

/** Where Node would find it from there; none for one that is optional and not installed. */
function resolvePackage(lock: Lock, from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(^|\/)[^/]*$/, '')) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (lock.has(place)) return place;
    if (folder === '') return undefined;
  }
}
