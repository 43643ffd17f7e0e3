import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { environmentOf, type Stage } from './dockerfile.ts';

/**
 * Follows a Dockerfile step by step without an engine: each stage is a folder that stands for the root of its file system,
 * and each RUN is run there. What the base image brings (Node, npm, a system) is that of this machine.
 */
export function emulateBuild(
  stages: readonly Stage[],
  files: readonly string[],
  root: string,
  into: string,
): string {
  let last = '';
  for (const [index, stage] of stages.entries()) {
    const place = join(into, stage.name || `stage-${index}`);
    mkdirSync(place, { recursive: true });
    runStage(stage, { place, files, root, into });
    last = place;
  }
  return last;
}

interface BuildSite {
  readonly place: string;
  readonly files: readonly string[];
  readonly root: string;
  readonly into: string;
}

function runStage(stage: Stage, site: BuildSite): void {
  let folder = '/';
  for (const { verb, text } of stage.steps) {
    if (verb === 'WORKDIR') {
      folder = text;
      mkdirSync(join(site.place, folder), { recursive: true });
    } else if (verb === 'COPY') copy(text, folder, site);
    else if (verb === 'RUN') run(text, join(site.place, folder), environmentOf(stage));
    else if (!['ENV', 'USER', 'LABEL', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(verb))
      throw new Error(`${verb} is not understood here`);
  }
}

function copy(text: string, folder: string, site: BuildSite): void {
  const words = text.split(' ');
  const from = words[0]?.startsWith('--from=') ? words.shift()?.slice('--from='.length) : undefined;
  const target = words.pop() ?? '';
  const destination = join(site.place, folder, target);
  for (const source of words) {
    if (from !== undefined) {
      cpSync(join(site.into, from, source), destination, {
        recursive: true,
        verbatimSymlinks: true,
      });
      continue;
    }
    const inside = site.files.filter((file) => file === source || file.startsWith(`${source}/`));
    if (inside.length === 0)
      throw new Error(`COPY ${source}: .dockerignore lets nothing of it through`);
    for (const file of inside) {
      // A file goes into the folder; of a folder, what is in it.
      const name = file === source ? basename(file) : file.slice(source.length + 1);
      const copied = join(destination, name);
      mkdirSync(dirname(copied), { recursive: true });
      cpSync(join(site.root, file), copied);
    }
  }
}

function run(command: string, cwd: string, env: Record<string, string>): void {
  const { status } = spawnSync('sh', ['-c', command], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
  });
  if (status !== 0) throw new Error(`RUN ${command} failed (${status})`);
}
