/**
 * Builds the image with buildah and runs it with podman, with the privileges and settings in compose.yaml:
 *
 *   npm run image:build                           builds and checks the image
 *   npm run image:build -- --sabotage all         plants every fault, or the named one; the check must find each of them
 *   npm run image:build -- --keep /var/tmp/image  keeps images and layers there, so that the next run is faster
 *
 * Needs root and, from Debian: buildah podman crun catatonit mmdebstrap iproute2.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildImage } from './image/build-image.ts';
import { checkContents } from './image/check-contents.ts';
import { Engine } from './image/container-engine.ts';
import { readCompose } from './image/parse-compose-file.ts';
import { parseDockerfile } from './image/parse-dockerfile.ts';
import { PLANTED_FAULTS, type PlantedFault, plantInCompose } from './image/planted-faults.ts';
import { type BaseImage, getBaseImage } from './image/pull-or-assemble-base-image.ts';
import { checkImage } from './image/run-and-check-compose-services.ts';
import { runProgram, runProgramOrThrow } from './image/run-program.ts';

const { values: flags } = parseArgs({
  options: { sabotage: { type: 'string' }, keep: { type: 'string' } },
});
const root = fileURLToPath(new URL('../', import.meta.url));
const log = (line: string): void => console.log(`  ${line}`);
const secondsSince = (start: number): string => ((performance.now() - start) / 1000).toFixed(0);

await requirePrograms();
await enterOwnMounts();
const workDir = flags.keep ?? mkdtempSync(join(tmpdir(), 'lessonbook-image-'));
mkdirSync(workDir, { recursive: true });
const engine = new Engine(workDir);
const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
const baseName = parseDockerfile(dockerfile)[0]?.from ?? '';
try {
  const start = performance.now();
  const base = await getBaseImage(engine, baseName, workDir, log);
  log(`the base image took ${secondsSince(start)} s`);
  if (flags.sabotage === undefined) await checkOnce(base);
  else await sabotage(base, flags.sabotage);
} finally {
  await runProgram('podman', engine.podmanArgs('rm', '--all', '--force'));
  await runProgram('umount', ['--lazy', join(workDir, 'storage/overlay')]);
  if (flags.keep === undefined) rmSync(workDir, { recursive: true, force: true });
}

async function requirePrograms(): Promise<void> {
  const programs = ['buildah', 'podman', 'crun', 'mmdebstrap', 'ip'];
  const missing = [];
  for (const program of programs)
    if ((await runProgram('which', [program])).code !== 0) missing.push(program);
  if (missing.length > 0)
    throw new Error(
      `missing: ${missing.join(', ')}. Run apt-get install --no-install-recommends buildah podman crun catatonit mmdebstrap iproute2`,
    );
  if (process.getuid?.() !== 0) throw new Error('run this as root');
}

/**
 * Continues in a separate mount namespace, so that everything the engine mounts disappears with it. Also hides the unified
 * control group hierarchy, because crun refuses to start where both versions are in use.
 */
async function enterOwnMounts(): Promise<void> {
  const [own, parent] = ['self', process.ppid].map((id) => readlinkSync(`/proc/${id}/ns/mnt`));
  if (own === parent) {
    const args = ['--mount', process.execPath, ...process.argv.slice(1)];
    process.exit(spawnSync('unshare', args, { stdio: 'inherit' }).status ?? 1);
  }
  if (existsSync('/sys/fs/cgroup/unified'))
    await runProgramOrThrow('umount', ['/sys/fs/cgroup/unified']);
}

async function checkOnce(base: BaseImage, fault?: PlantedFault): Promise<void> {
  const image = 'localhost/lessonbook:check';
  let start = performance.now();
  await build(base, image, fault?.dockerfile?.(dockerfile) ?? dockerfile);
  log(`buildah built the image in ${secondsSince(start)} s`);

  start = performance.now();
  const contents = await checkContents(engine, image, base.name, root);
  log(`size: ${contents.megabytes} MB, of which ${contents.addedMegabytes} MB are ours`);
  if (!fault) {
    log(`${contents.packages.length} packages from npm: ${contents.packages.join(', ')}`);
    log(
      `${contents.debianPackages.length} packages of the ${base.isOfficial ? '' : 'substitute for the '}base image: ` +
        contents.debianPackages.join(', '),
    );
  }
  const compose = readCompose(join(root, 'compose.yaml'));
  await checkImage({
    engine,
    image,
    log,
    compose: fault ? plantInCompose(compose, fault) : compose,
  });
  log(`the image passed all checks in ${secondsSince(start)} s`);
}

async function build(base: BaseImage, image: string, source: string): Promise<void> {
  const file = join(workDir, 'Dockerfile');
  writeFileSync(file, source);
  await buildImage({ engine, base: base.name, image, file, context: root, workDir });
}

async function sabotage(base: BaseImage, wanted: string): Promise<void> {
  const names = wanted === 'all' ? Object.keys(PLANTED_FAULTS) : [wanted];
  // The check must pass without a fault; otherwise detecting one proves nothing.
  await checkOnce(base);
  const missed: string[] = [];
  for (const name of names) {
    const fault = PLANTED_FAULTS[name];
    if (!fault)
      throw new Error(`unknown: ${name}. Known: ${Object.keys(PLANTED_FAULTS).join(', ')}`);
    console.log(`sabotage ${name}`);
    const message = await checkOnce(base, fault).then(
      () => 'nothing',
      (error: unknown) => String(error),
    );
    const isFound = fault.expected.test(message);
    if (!isFound) missed.push(name);
    log(`${isFound ? 'found' : 'MISSED'}: ${message.split('\n')[0]?.slice(0, 200)}`);
  }
  if (missed.length > 0) throw new Error(`not found: ${missed.join(', ')}`);
  log(`all ${names.length} planted faults were found`);
}
