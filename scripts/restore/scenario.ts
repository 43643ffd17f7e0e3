import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '@lessonbook/server/src/invariants.ts';
import type { DatabaseUrls } from '@lessonbook/server/src/provision-database.ts';
import { checksums } from '@lessonbook/server/src/test/checksums.ts';
import { freePort } from '@lessonbook/test-env/free-port';
import {
  type Api,
  countMarked,
  createDatabase,
  databaseUrlOn,
  findInvariantFaults,
  readMarkers,
  startApi,
  waitUntilServing,
} from './application.ts';
import { type Loss, measureLoss, pointInTimeFaults } from './data-loss.ts';
import {
  Backups,
  createScenarioFolder,
  destroyServer,
  runQuery,
  type Server,
  startServer,
  stopServer,
} from './postgres-server.ts';
import { startWriters, type Writers } from './writers.ts';

export interface Options {
  binDir: string;
  seed: number;
  /** Additional server settings, as `name=value`. */
  settings?: readonly string[];
  /** The server acknowledges a write only when the receiver has it on disk. */
  synchronous?: boolean;
  /** Fills the database before the writers start. */
  seedDatabase?: (databaseUrl: string) => Promise<void>;
  /** Runs after the server is destroyed and before the restore, to simulate a cold page cache. */
  beforeRestore?: (backupFolder: string) => Promise<void>;
}

export interface Outcome {
  destroyedAt: number;
  databaseBytes: number;
  loss: Loss;
  /** Lessons and payments that exist more than once. */
  duplicates: number;
  faults: Violation[];
  recoverySeconds: number;
  /** The part of `recoverySeconds` that the restore script took. */
  restoreSeconds: number;
}

/** Minimum number of acknowledged writes in each period under load. */
const MIN_WRITES = 10;

/** A time without writes, and the table checksums that a restore to that time must reproduce. */
interface RestorePoint {
  time: number;
  checksums: Record<string, string>;
}

/** Sets up a server, destroys and restores it, and checks the result. */
export class RestoreScenario {
  readonly #options: Options;
  readonly #random: () => number;
  readonly folder = createScenarioFolder();
  server!: Server;
  urls!: DatabaseUrls;
  api!: Api;
  backups!: Backups;
  writers!: Writers;
  baseSeconds = 0;
  #count = 0;

  private constructor(options: Options) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  static async start(options: Options): Promise<RestoreScenario> {
    const scenario = new RestoreScenario(options);
    scenario.server = await startServer(scenario.folder, options.binDir, options.settings);
    scenario.urls = await createDatabase(scenario.server);
    await options.seedDatabase?.(databaseUrlOn(scenario.server));
    scenario.api = await startApi(scenario.urls);
    return scenario;
  }

  /** Starts WAL streaming and writers, and takes a base backup under load. */
  async backUp(prefix: string, tutors = 4): Promise<void> {
    this.backups = new Backups(this.folder, this.server, `backup-${prefix}`);
    await this.backups.stream(this.server);
    if (this.#options.synchronous) {
      await runQuery(
        this.server.adminUrl,
        `alter system set synchronous_standby_names = 'lessonbook_wal'`,
      );
      await runQuery(this.server.adminUrl, 'select pg_reload_conf()');
    }
    this.writers = await startWriters(this.api.url, tutors, prefix);
    await this.writers.acknowledge(MIN_WRITES);
    const start = performance.now();
    await this.backups.run('base-backup.sh');
    this.baseSeconds = (performance.now() - start) / 1000;
  }

  /**
   * Switches to a new WAL segment, then lets the writers run for `ms` plus a random time of up to a second, or longer until
   * enough writes are acknowledged.
   */
  async write(ms: number): Promise<void> {
    await runQuery(this.server.adminUrl, 'select pg_switch_wal()');
    const acknowledged = this.writers.acknowledge(MIN_WRITES);
    await sleep(ms + 1000 * this.#random());
    await acknowledged;
  }

  async createRestorePoint(): Promise<RestorePoint> {
    await this.writers.pause();
    await sleep(20);
    const time = Date.now();
    const sums = await checksums(databaseUrlOn(this.server));
    await sleep(20);
    this.writers.resume();
    return { time, checksums: sums };
  }

  /** Destroys the server, restores the latest state on the same port and checks it. */
  async destroyAndRestore(): Promise<Outcome> {
    const { server, writers } = this;
    const [size] = await runQuery<{ bytes: string }>(
      databaseUrlOn(server),
      'select pg_database_size(current_database()) as bytes',
    );
    const destroyedAt = destroyServer(server);
    await writers.stop();
    await this.backups.stopStreaming();
    const preparationSeconds = await measureSeconds(() =>
      this.#options.beforeRestore?.(this.backups.folder),
    );
    const restoreSeconds = await measureSeconds(async () => {
      this.server = await this.backups.restore(server, 'latest', this.#name(), server.port);
    });
    const servingAt = await waitUntilServing(writers.browsers[0] as never);
    const found = await readMarkers(this.server);
    const written = writers.entries.filter(({ marker }) => found.has(marker)).length;
    return {
      destroyedAt,
      databaseBytes: Number(size?.bytes),
      loss: measureLoss(writers.entries, found, destroyedAt),
      duplicates:
        (await countMarked(this.server, this.writers.usernames[0]?.slice(0, -1) ?? '')) - written,
      faults: await findInvariantFaults(this.server, writers.usernames),
      recoverySeconds: (servingAt - destroyedAt) / 1000 - preparationSeconds,
      restoreSeconds,
    };
  }

  /** Restores a second server to the given time, or to the latest state, and checks it. */
  async restoreTo(time?: number): Promise<{
    seconds: number;
    faults: Violation[];
    /** Differences from the journal at the given time. */
    differences: (at: number) => string[];
    checksums: Record<string, string>;
  }> {
    const when = time === undefined ? 'latest' : new Date(time).toISOString();
    const start = performance.now();
    const copy = await this.backups.restore(this.server, when, this.#name(), await freePort());
    const seconds = (performance.now() - start) / 1000;
    try {
      const found = await readMarkers(copy);
      return {
        seconds,
        faults: await findInvariantFaults(copy, this.writers.usernames),
        differences: (at) => pointInTimeFaults(this.writers.entries, found, at),
        checksums: await checksums(databaseUrlOn(copy)),
      };
    } finally {
      await stopServer(copy);
    }
  }

  async stop(): Promise<void> {
    await this.writers.stop();
    await this.backups.stopStreaming();
    await this.api.stop();
    await stopServer(this.server);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #name(): string {
    this.#count += 1;
    return `restored-${this.#count}`;
  }
}

async function measureSeconds(work: () => Promise<void> | undefined): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Reproducible pseudo-random numbers in [0, 1). */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
