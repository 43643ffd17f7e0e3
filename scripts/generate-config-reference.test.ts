import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands, Environment, processGroups } from '@lessonbook/server/src/env-schema.ts';
import { expect, test } from 'vitest';
import { developmentSettings, renderConfigReference } from './reference/render-config-reference.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const page = renderConfigReference();
const rowOf = (name: string) => page.split('\n').filter((line) => line.startsWith(`| \`${name}\``));

test('every environment variable has one row and one group', () => {
  const grouped = processGroups.flatMap((group) => Object.keys(group.settings));
  expect(grouped.toSorted()).toEqual(Object.keys(Environment.shape).toSorted());
  for (const name of [...grouped, ...Object.keys(commands.settings)])
    expect(rowOf(name), name).toHaveLength(1);
});

test('marks required variables, defaults and secrets', () => {
  expect(rowOf('SECRET_KEY')[0]).toMatch(/\| required \| \*\*secret\*\*; at least 32/);
  expect(rowOf('DATABASE_POOL')[0]).toMatch(/\| `10` \| maximum connections/);
  expect(rowOf('STRIPE_SECRET_KEY')[0]).toMatch(/\| none \| \*\*secret\*\*/);
  expect(page).toContain(
    'Set together or not at all: `GOOGLE_SIGN_IN_CLIENT_ID`, `GOOGLE_SIGN_IN_CLIENT_SECRET`.',
  );
});

test('documents the variables that scripts and Vite use', () => {
  const known = [...processGroups, commands, developmentSettings].flatMap((group) =>
    Object.keys(group.settings),
  );
  const files = globSync(['scripts/*.ts', 'test-env/src/*.ts', 'apps/web/vite.config.ts'], {
    cwd: root,
  }).filter((path) => !path.endsWith('.test.ts'));
  const read = files.flatMap((path) =>
    [...readFileSync(root + path, 'utf8').matchAll(/process\.env(?:\.|\[')([A-Z_]+)/g)].map(
      (match) => match[1],
    ),
  );
  expect(read.length).toBeGreaterThan(3);
  // SEED belongs to a test harness and is documented in CONTRIBUTING.md.
  const settings = read.filter((name) => name !== 'SEED');
  expect(known).toEqual(expect.arrayContaining(settings));
});
