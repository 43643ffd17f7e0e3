import { strict as assert } from 'node:assert';
import { readFileSync } from 'node:fs';
import { RUN_ARGS } from './container.ts';
import type { Engine } from './container-engine.ts';
import { listBuildContext } from './list-build-context.ts';

/**
 * Maximum size of everything that the Dockerfile adds to the base image. The base image does not count, because we do
 * not control its size. For the measured sizes, see docs/operating/install.md.
 */
const MAX_ADDED_MB = 150;

export interface ImageContents {
  readonly megabytes: number;
  readonly addedMegabytes: number;
  readonly packages: readonly string[];
  readonly debianPackages: readonly string[];
}

interface ImageConfig {
  Config: {
    User?: string;
    Cmd?: string[];
    Env?: string[];
    ExposedPorts?: Record<string, unknown>;
  };
  Healthcheck?: { Test?: string[] };
  Size: number;
}

const LIST = `
import { readdirSync, readFileSync, existsSync } from 'node:fs';
const files = readdirSync('/app', { recursive: true, withFileTypes: true })
  .filter((entry) => !entry.isDirectory())
  .map((entry) => entry.parentPath + '/' + entry.name);
const packages = files
  .filter((file) => /node_modules\\/(@[^/]+\\/)?[^/@]+\\/package\\.json$/.test(file))
  .map((file) => JSON.parse(readFileSync(file, 'utf8')))
  .filter(({ name, version }) => name && version)
  .map(({ name, version }) => name + '@' + version);
const status = existsSync('/var/lib/dpkg/status') ? readFileSync('/var/lib/dpkg/status', 'utf8') : '';
const debianPackages = status.split('\\n\\n').filter(Boolean).map((entry) =>
  /^Package: (.*)$/m.exec(entry)?.[1] + ' ' + /^Version: (.*)$/m.exec(entry)?.[1]);
console.log(JSON.stringify({ files, packages, debianPackages }));
`;

async function inspect(engine: Engine, image: string): Promise<ImageConfig> {
  const [config] = JSON.parse(await engine.podman('image', 'inspect', image)) as ImageConfig[];
  assert(config, `${image} does not exist`);
  return config;
}

/** Asserts the configuration, the files and the size of the image. */
export async function checkContents(
  engine: Engine,
  image: string,
  base: string,
  root: string,
): Promise<ImageContents> {
  const { Config, Healthcheck, Size } = await inspect(engine, image);
  assert.equal(Config.User, 'node', 'the image must not run as root');
  assert.equal(Healthcheck?.Test?.[0], 'CMD', 'the image must have a health check without a shell');
  const secrets = (Config.Env ?? []).filter((pair) => /SECRET|PASSWORD|TOKEN|_KEY|_URL/.test(pair));
  assert.deepEqual(secrets, [], 'the image must not contain secrets');

  const output = await engine.podman(
    'run',
    '--rm',
    '--network=none',
    '--read-only',
    ...RUN_ARGS,
    image,
    'node',
    '--input-type=module',
    '--eval',
    LIST,
  );
  const { files, packages, debianPackages } = JSON.parse(output) as {
    files: string[];
    packages: string[];
    debianPackages: string[];
  };
  checkFiles(files, root);
  const production = readProductionPackages(root);
  const unexpected = packages.filter((name) => !production.has(name));
  assert.deepEqual(unexpected, [], 'the image must contain production packages only');

  const toMegabytes = (bytes: number) => Math.round(bytes / 1e6);
  const addedMegabytes = toMegabytes(Size - (await inspect(engine, base)).Size);
  assert(
    addedMegabytes <= MAX_ADDED_MB,
    `the image adds ${addedMegabytes} MB to its base; the budget is ${MAX_ADDED_MB} MB`,
  );
  return {
    megabytes: toMegabytes(Size),
    addedMegabytes,
    packages: [...new Set(packages)].toSorted(),
    debianPackages,
  };
}

/** Asserts that the image contains every source and migration, and nothing that the server does not need. */
function checkFiles(files: readonly string[], root: string): void {
  const present = new Set(files.map((file) => file.replace(/^\/app\//, '')));
  const expected = listBuildContext(root).filter((path) =>
    /^(apps\/server|packages\/contract)\/(src|migrations)\//.test(path),
  );
  assert(expected.length > 300, 'the build context must contain the sources');
  const missing = expected.filter((path) => !present.has(path));
  assert.deepEqual(missing, [], 'every source and migration must be in the image');
  assert(present.has('web/index.html'), 'the built web pages must be in the image');
  const ours = [...present].filter((path) => !path.startsWith('node_modules/'));
  const unwanted = ours.filter((path) => /\.test\.|\/test\/|(^|\/)\.env|(^|\/)\.git/.test(path));
  assert.deepEqual(unwanted, [], 'tests, settings and history must not be in the image');
}

/** Names and versions of the packages in the lockfile, except development dependencies. */
function readProductionPackages(root: string): Set<string> {
  const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as {
    packages: Record<string, { version?: string; dev?: boolean; name?: string }>;
  };
  return new Set(
    Object.entries(lock.packages).flatMap(([path, { version, dev, name }]) =>
      dev || version === undefined
        ? []
        : [`${name ?? path.replace(/^.*node_modules\//, '')}@${version}`],
    ),
  );
}
