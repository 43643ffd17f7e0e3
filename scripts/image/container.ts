import type { Engine } from './container-engine.ts';
import type { Service } from './parse-compose-file.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

export interface ContainerOptions {
  readonly engine: Engine;
  readonly image: string;
  readonly name: string;
  /** The definition in compose.yaml, which determines privileges, file system and command. */
  readonly service: Service;
  readonly env: Readonly<Record<string, string>>;
  /** Path of the network namespace. */
  readonly namespace: string;
}

/** The options that every container needs on a machine without systemd and with few privileges. */
export const RUN_ARGS: readonly string[] = [
  '--cgroups=disabled',
  // Without control groups, podman leaves an empty, writable folder at this path.
  '--security-opt=mask=/sys/fs/cgroup',
  '--runtime=crun',
  '--pull=never',
  // On some machines, podman's defaults are higher than the limits that root may set.
  '--ulimit=nofile=4096:4096',
  '--ulimit=nproc=4096:4096',
  // We run the health check ourselves, because podman's timer needs systemd.
  '--health-interval=disable',
];

/** Runs a service with podman as compose would, apart from limits, which need control groups. */
const toArgs = ({ engine, image, name, service, env, namespace }: ContainerOptions): string[] =>
  engine.podmanArgs(
    'run',
    '--name',
    name,
    '--network',
    `ns:${namespace}`,
    ...RUN_ARGS,
    '--log-driver',
    'k8s-file',
    // Unlike compose, podman adds writable folders to a read-only file system by default.
    ...(service.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...(service.init ? ['--init'] : []),
    ...(service.user === undefined ? [] : ['--user', service.user]),
    ...(service.tmpfs ?? []).flatMap((mount) => ['--tmpfs', mount]),
    ...(service.cap_drop ?? []).flatMap((capability) => ['--cap-drop', capability.toLowerCase()]),
    ...(service.cap_add ?? []).flatMap((capability) => ['--cap-add', capability]),
    ...(service.security_opt ?? []).flatMap((option) => [
      '--security-opt',
      option.replace(/:true$/, ''),
    ]),
    ...Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    image,
    ...(service.command ?? []),
  );

/** Runs a one-off container, such as the migrations, and waits until it ends. */
export const runContainer = (options: ContainerOptions): Promise<ProgramResult> =>
  runProgram('podman', toArgs(options));

export class RunningContainer {
  readonly #options: ContainerOptions;
  readonly #ended: Promise<ProgramResult>;
  #result: ProgramResult | null = null;

  constructor(options: ContainerOptions) {
    this.#options = options;
    this.#ended = runContainer(options).then((result) => {
      this.#result = result;
      return result;
    });
  }

  get name(): string {
    return this.#options.name;
  }

  /** The output if the container has ended; otherwise null. */
  get outputOfEnded(): string | null {
    return this.#result?.output ?? null;
  }

  async isRunning(): Promise<boolean> {
    if (this.#result) throw new Error(`${this.name} has ended: ${this.#result.output}`);
    const { output } = await this.#podman('inspect', '--format', '{{.State.Running}}', this.name);
    return output.trim() === 'true';
  }

  logs(): Promise<string> {
    return this.#result
      ? Promise.resolve(this.#result.output)
      : this.#podman('logs', this.name).then(({ output }) => output);
  }

  /** Runs a TypeScript program in the container, with its user and privileges. */
  async runProbe(source: string): Promise<string> {
    const { code, stdout, output } = await runProgram(
      'podman',
      this.#options.engine.podmanArgs(
        'exec',
        '--interactive',
        this.name,
        'node',
        '--input-type=module-typescript',
        '-',
      ),
      source,
    );
    if (code !== 0) throw new Error(`the probe failed in ${this.name}: ${output}`);
    return stdout;
  }

  /** The exit code of the health check in the image. */
  async runHealthCheck(): Promise<number | null> {
    return (await this.#podman('healthcheck', 'run', this.name)).code;
  }

  /** Files that differ from the image, as lines such as `A /app/written`. */
  async listChangedFiles(): Promise<string[]> {
    const { code, output } = await this.#podman('diff', this.name);
    if (code !== 0) throw new Error(output);
    return output.trim().split('\n');
  }

  /** Sends SIGTERM, as compose does, and returns the exit code. */
  async stop(): Promise<number | null> {
    if (!this.#result) await this.#podman('kill', '--signal', 'TERM', this.name);
    return (await this.#ended).code;
  }

  async kill(): Promise<void> {
    if (!this.#result) await this.#podman('kill', '--signal', 'KILL', this.name);
    await this.#ended;
  }

  #podman(...args: readonly string[]): Promise<ProgramResult> {
    return runProgram('podman', this.#options.engine.podmanArgs(...args));
  }
}
