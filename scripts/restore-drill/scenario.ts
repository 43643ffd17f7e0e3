import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Violation } from '@lessonbook/server/src/invariants.ts';
import type { DatabaseUrls } from '@lessonbook/server/src/provision-database.ts';
import { tableChecksums } from '@lessonbook/server/src/test/table-checksums.ts';
import { findFreePort } from '@lessonbook/test-env/free-port';
import {
  type Api,
  appDatabaseUrl,
  createDatabase,
  startApi,
  waitUntilServing,
} from './app-under-test.ts';
import {
  type DataLoss,
  findPointInTimeFaults,
  measureDataLoss,
} from './compare-restore-with-journal.ts';
import { startWriters, type Writers } from './concurrent-writers.ts';
import {
  Backups,
  createScenarioFolder,
  destroyServer,
  type PostgresServer,
  runQuery,
  startServer,
  stopServer,
} from './postgres-server-and-backups.ts';
import { countMarkers, findInvariantViolations, readMarkers } from './read-restored-data.ts';

export interface ScenarioOptions {
  binDir: string;
  seed: number;
  /** Additional server settings, as `name=value`. */
  settings?: readonly string[];
  /** If true, the server acknowledges a write only once the receiver has stored it on disk. */
  synchronous?: boolean;
  /** Fills the database before the writers start. */
  seedDatabase?: (databaseUrl: string) => Promise<void>;
  /** Runs after the server is destroyed and before the restore, to simulate a cold page cache. */
  beforeRestore?: (backupFolder: string) => Promise<void>;
}

export interface RestoreOutcome {
  destroyedAt: number;
  databaseBytes: number;
  loss: DataLoss;
  /** Lessons and payments that exist more than once. */
  duplicateCount: number;
  faults: Violation[];
  recoverySeconds: number;
  /** The part of `recoverySeconds` that the restore script took. */
  restoreSeconds: number;
}

/** Minimum number of acknowledged writes in each period under load. */
const MIN_WRITES = 10;

/** A time when no writes were in progress, and the table checksums that a restore to that time must reproduce. */
interface RestorePoint {
  time: number;
  checksums: Record<string, string>;
}

/** Sets up a server, destroys and restores it, and checks the result. */
export class RestoreScenario {
  readonly #options: ScenarioOptions;
  readonly #random: () => number;
  readonly folder = createScenarioFolder();
  server!: PostgresServer;
  urls!: DatabaseUrls;
  api!: Api;
  backups!: Backups;
  writers!: Writers;
  baseBackupSeconds = 0;
  #restoreCount = 0;

  private constructor(options: ScenarioOptions) {
    this.#options = options;
    this.#random = seededRandom(options.seed);
  }

  static async start(options: ScenarioOptions): Promise<RestoreScenario> {
    const scenario = new RestoreScenario(options);
    scenario.server = await startServer(scenario.folder, options.binDir, options.settings);
    scenario.urls = await createDatabase(scenario.server);
    await options.seedDatabase?.(appDatabaseUrl(scenario.server));
    scenario.api = await startApi(scenario.urls);
    return scenario;
  }

  /** Starts WAL streaming and writers, and takes a base backup under load. */
  async backUp(prefix: string, tutors = 4): Promise<void> {
    this.backups = new Backups(this.folder, this.server, `backup-${prefix}`);
    await this.backups.startStreaming(this.server);
    if (this.#options.synchronous) {
      await runQuery(
        this.server.adminUrl,
        `alter system set synchronous_standby_names = 'lessonbook_wal'`,
      );
      await runQuery(this.server.adminUrl, 'select pg_reload_conf()');
    }
    this.writers = await startWriters(this.api.url, tutors, prefix);
    await this.writers.waitForAcknowledgedWrites(MIN_WRITES);
    const start = performance.now();
    await this.backups.runScript('base-backup.sh');
    this.baseBackupSeconds = (performance.now() - start) / 1000;
  }

  /**
   * Switches to a new WAL segment, then lets the writers run for `ms` plus a random time of up to a second, or longer if
   * needed, until enough writes are acknowledged.
   */
  async runWriters(ms: number): Promise<void> {
    await runQuery(this.server.adminUrl, 'select pg_switch_wal()');
    const acknowledged = this.writers.waitForAcknowledgedWrites(MIN_WRITES);
    await sleep(ms + 1000 * this.#random());
    await acknowledged;
  }

  async createRestorePoint(): Promise<RestorePoint> {
    await this.writers.pause();
    await sleep(20);
    const time = Date.now();
    const sums = await tableChecksums(appDatabaseUrl(this.server));
    await sleep(20);
    this.writers.resume();
    return { time, checksums: sums };
  }

  /** Destroys the server, restores the latest state on the same port and checks it. */
  async destroyAndRestore(): Promise<RestoreOutcome> {
    const { server, writers } = this;
    const [size] = await runQuery<{ bytes: string }>(
      appDatabaseUrl(server),
      'select pg_database_size(current_database()) as bytes',
    );
    const destroyedAt = destroyServer(server);
    await writers.stop();
    await this.backups.stopStreaming();
    const preparationSeconds = await measureSeconds(() =>
      this.#options.beforeRestore?.(this.backups.folder),
    );
    const restoreSeconds = await measureSeconds(async () => {
      this.server = await this.backups.restore(
        server,
        'latest',
        this.#nextServerName(),
        server.port,
      );
    });
    const servingAt = await waitUntilServing(writers.browsers[0] as never);
    const found = await readMarkers(this.server);
    const written = writers.entries.filter(({ marker }) => found.has(marker)).length;
    return {
      destroyedAt,
      databaseBytes: Number(size?.bytes),
      loss: measureDataLoss(writers.entries, found, destroyedAt),
      duplicateCount:
        (await countMarkers(this.server, this.writers.usernames[0]?.slice(0, -1) ?? '')) - written,
      faults: await findInvariantViolations(this.server, writers.usernames),
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
    const copy = await this.backups.restore(
      this.server,
      when,
      this.#nextServerName(),
      await findFreePort(),
    );
    const seconds = (performance.now() - start) / 1000;
    try {
      const found = await readMarkers(copy);
      return {
        seconds,
        faults: await findInvariantViolations(copy, this.writers.usernames),
        differences: (at) => findPointInTimeFaults(this.writers.entries, found, at),
        checksums: await tableChecksums(appDatabaseUrl(copy)),
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

  #nextServerName(): string {
    this.#restoreCount += 1;
    return `restored-${this.#restoreCount}`;
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
