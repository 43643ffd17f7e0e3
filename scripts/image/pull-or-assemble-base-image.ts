import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from './container-engine.ts';
import { runProgram, runProgramOrThrow } from './run-program.ts';

const PULL_TIMEOUT_SECONDS = '60';

export interface BaseImage {
  readonly name: string;
  readonly isOfficial: boolean;
}

/** Pulls the image that the Dockerfile names, or assembles a substitute if no registry answers. */
export async function getBaseImage(
  engine: Engine,
  name: string,
  workDir: string,
  log: (line: string) => void,
): Promise<BaseImage> {
  const fullName = `docker.io/library/${name}`;
  const substitute = `localhost/${name}`;
  if (await exists(engine, substitute)) {
    log(`base image: the substitute from an earlier run`);
    return { name: substitute, isOfficial: false };
  }
  const pull = await runProgram('timeout', [
    PULL_TIMEOUT_SECONDS,
    'podman',
    ...engine.podmanArgs('pull', '--quiet', fullName),
  ]);
  if (pull.code === 0) {
    log(`base image: ${fullName}, pulled`);
    return { name: fullName, isOfficial: true };
  }
  const reason = pull.output.trim().split('\n').at(-1) ?? '';
  log(`base image: ${fullName} cannot be pulled (${reason.slice(0, 160)})`);
  log('base image: assembling a substitute from Debian bookworm, and Node and npm from npm');
  await assemble(engine, substitute, workDir);
  return { name: substitute, isOfficial: false };
}

const exists = async (engine: Engine, name: string): Promise<boolean> =>
  (await runProgram('podman', engine.podmanArgs('image', 'exists', name))).code === 0;

/**
 * Assembles an image like the official one: Debian without documentation, our version of Node and npm in /usr/local, and a
 * user `node` with the id 1000.
 */
async function assemble(engine: Engine, name: string, workDir: string): Promise<void> {
  const local = join(workDir, 'usr-local');
  mkdirSync(join(local, 'bin'), { recursive: true });
  await runProgramOrThrow('cp', [process.execPath, join(local, 'bin/node')]);
  const npm = (await runProgramOrThrow('npm', ['--version'])).trim();
  await runProgramOrThrow('npm', [
    'install',
    '--global',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefix',
    local,
    `npm@${npm}`,
  ]);
  const exclusions = ['doc', 'man', 'info', 'locale', 'lintian'].map(
    (folder) => `path-exclude=/usr/share/${folder}/*`,
  );
  const options = join(workDir, 'dpkg-options');
  writeFileSync(options, `${exclusions.join('\n')}\n`);
  const archive = join(workDir, 'base.tar');
  await runProgramOrThrow('mmdebstrap', [
    '--variant=minbase',
    '--include=tzdata',
    `--dpkgopt=${options}`,
    `--customize-hook=sync-in ${local} /usr/local`,
    '--customize-hook=chroot "$1" groupadd --gid 1000 node',
    '--customize-hook=chroot "$1" useradd --uid 1000 --gid node --shell /bin/bash --create-home node',
    'bookworm',
    archive,
  ]);
  await engine.podman('import', '--quiet', '--change', 'CMD ["node"]', archive, name);
}
