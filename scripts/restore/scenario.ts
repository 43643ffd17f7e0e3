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
  /** More settings of the server, as `name=value`. */
  settings?: readonly string[];
  /** The server acknowledges nothing that the receiver has not put on its disk. */
  synchronous?: boolean;
  /** Fills the database before anything else happens. */
  seedDatabase?: (book: string) => Promise<void>;
  /** Between the last backup and the return: how a cold disk is made. */
  beforeRestore?: (backupFolder: string) => Promise<void>;
}

export interface Outcome {
  destroyedAt: number;
  databaseBytes: number;
  loss: Loss;
  /** Lessons and payments that are there more often than once. */
  duplicates: number;
  faults: Violation[];
  recoverySeconds: number;
  /** Of that, what the script took. */
  restoreSeconds: number;
}

/** As many as each time under load sees at least. */
const WRITES = 10;

/** Where the writers stood still: its rows were counted and must be the same after a restore to this moment. */
interface RestorePoint {
  time: number;
  checksums: Record<string, string>;
}

/** One life of a server, from its first day to a catastrophe and back, with what is needed to look at it from all sides. */
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
    const one = new RestoreScenario(options);
    one.server = await startServer(one.folder, options.binDir, options.settings);
    one.urls = await createDatabase(one.server);
    await options.seedDatabase?.(databaseUrlOn(one.server));
    one.api = await startApi(one.urls);
    return one;
  }

  /** From here on every change is received, and a base backup is taken while tutors write. */
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
    await this.writers.acknowledge(WRITES);
    const start = performance.now();
    await this.backups.run('base-backup.sh');
    this.baseSeconds = (performance.now() - start) / 1000;
  }

  /**
   * A time under load, of at least this length and at random up to a second more, and until some writes are done on a slow
   * machine as well; WAL goes on in a new segment.
   */
  async write(ms: number): Promise<void> {
    await runQuery(this.server.adminUrl, 'select pg_switch_wal()');
    const enough = this.writers.acknowledge(WRITES);
    await sleep(ms + 1000 * this.#random());
    await enough;
  }

  async createRestorePoint(): Promise<RestorePoint> {
    await this.writers.pause();
    await sleep(20);
    const moment = Date.now();
    const sums = await checksums(databaseUrlOn(this.server));
    await sleep(20);
    this.writers.resume();
    return { time: moment, checksums: sums };
  }

  /** Ends the machine, brings the newest state back on the same port, and looks at what is there. */
  async destroyAndRestore(): Promise<Outcome> {
    const { server, writers } = this;
    const [size] = await runQuery<{ bytes: string }>(
      databaseUrlOn(server),
      'select pg_database_size(current_database()) as bytes',
    );
    const moment = destroyServer(server);
    await writers.stop();
    await this.backups.stopStreaming();
    const coldFor = await measureSeconds(() => this.#options.beforeRestore?.(this.backups.folder));
    const secondsRestoring = await measureSeconds(async () => {
      this.server = await this.backups.restore(server, 'latest', this.#name(), server.port);
    });
    const back = await waitUntilServing(writers.browsers[0] as never);
    const found = await readMarkers(this.server);
    const written = writers.entries.filter(({ marker }) => found.has(marker)).length;
    return {
      destroyedAt: moment,
      databaseBytes: Number(size?.bytes),
      loss: measureLoss(writers.entries, found, moment),
      duplicates:
        (await countMarked(this.server, this.writers.usernames[0]?.slice(0, -1) ?? '')) - written,
      faults: await findInvariantFaults(this.server, writers.usernames),
      recoverySeconds: (back - moment) / 1000 - coldFor,
      restoreSeconds: secondsRestoring,
    };
  }

  /** A second server beside the living one, as everything was at a moment, or at the latest there is. */
  async restoreTo(moment?: number): Promise<{
    seconds: number;
    faults: Violation[];
    /** Compared with the journal; at another moment than the one restored to, if one is given. */
    wrong: (asIf: number) => string[];
    sums: Record<string, string>;
  }> {
    const when = moment === undefined ? 'latest' : new Date(moment).toISOString();
    const start = performance.now();
    const copy = await this.backups.restore(this.server, when, this.#name(), await freePort());
    const seconds = (performance.now() - start) / 1000;
    try {
      const found = await readMarkers(copy);
      return {
        seconds,
        faults: await findInvariantFaults(copy, this.writers.usernames),
        wrong: (asIf) => pointInTimeFaults(this.writers.entries, found, asIf),
        sums: await checksums(databaseUrlOn(copy)),
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

/** Numbers from 0 to below 1 that come again from the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
