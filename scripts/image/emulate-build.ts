import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { readEnvironment, type Stage } from './dockerfile.ts';

/**
 * Emulates a Dockerfile without a container engine: each stage is a folder that represents its root file system, and each
 * RUN is executed there. Node, npm and system tools come from this machine.
 */
export function emulateBuild(
  stages: readonly Stage[],
  files: readonly string[],
  root: string,
  outputFolder: string,
): string {
  let last = '';
  for (const [index, stage] of stages.entries()) {
    const stageRoot = join(outputFolder, stage.name || `stage-${index}`);
    mkdirSync(stageRoot, { recursive: true });
    runStage(stage, { stageRoot, files, root, outputFolder });
    last = stageRoot;
  }
  return last;
}

interface BuildState {
  readonly stageRoot: string;
  readonly files: readonly string[];
  readonly root: string;
  readonly outputFolder: string;
}

function runStage(stage: Stage, state: BuildState): void {
  let folder = '/';
  for (const { keyword, text } of stage.steps) {
    if (keyword === 'WORKDIR') {
      folder = text;
      mkdirSync(join(state.stageRoot, folder), { recursive: true });
    } else if (keyword === 'COPY') copy(text, folder, state);
    else if (keyword === 'RUN') run(text, join(state.stageRoot, folder), readEnvironment(stage));
    else if (!['ENV', 'USER', 'LABEL', 'EXPOSE', 'HEALTHCHECK', 'CMD'].includes(keyword))
      throw new Error(`${keyword} is not supported`);
  }
}

function copy(text: string, folder: string, state: BuildState): void {
  const args = text.split(' ');
  const from = args[0]?.startsWith('--from=') ? args.shift()?.slice('--from='.length) : undefined;
  const target = args.pop() ?? '';
  const destination = join(state.stageRoot, folder, target);
  for (const source of args) {
    if (from !== undefined) {
      cpSync(join(state.outputFolder, from, source), destination, {
        recursive: true,
        verbatimSymlinks: true,
      });
      continue;
    }
    const files = state.files.filter((file) => file === source || file.startsWith(`${source}/`));
    if (files.length === 0) throw new Error(`COPY ${source}: not in the build context`);
    for (const file of files) {
      // COPY copies a file into the target folder, but for a folder it copies only the contents.
      const name = file === source ? basename(file) : file.slice(source.length + 1);
      const copied = join(destination, name);
      mkdirSync(dirname(copied), { recursive: true });
      cpSync(join(state.root, file), copied);
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
