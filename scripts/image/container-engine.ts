import { join } from 'node:path';
import { runProgramOrThrow } from './run-program.ts';

/** buildah and podman with their own storage, so that this machine's images and containers are not touched. */
export class Engine {
  readonly #storage: readonly string[];

  constructor(folder: string) {
    this.#storage = [
      '--root',
      join(folder, 'storage'),
      '--runroot',
      join(folder, 'run'),
      '--storage-driver',
      'overlay',
    ];
  }

  buildah(...args: readonly string[]): Promise<string> {
    return runProgramOrThrow('buildah', [...this.#storage, ...args]);
  }

  podman(...args: readonly string[]): Promise<string> {
    return runProgramOrThrow('podman', this.podmanArgs(...args));
  }

  podmanArgs(...args: readonly string[]): string[] {
    return [...this.#storage, '--cgroup-manager', 'cgroupfs', '--events-backend', 'none', ...args];
  }
}
