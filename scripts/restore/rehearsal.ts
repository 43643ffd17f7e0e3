import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '@lessonbook/server/src/invariants.ts';
import type { DatabaseUrls } from '@lessonbook/server/src/provision.ts';
import { checksums } from '@lessonbook/server/src/test/checksums.ts';
import { freePort } from '@lessonbook/stage/free-port';
import {
  type Api,
  bookOn,
  countOf,
  faultsIn,
  makeBook,
  serving,
  startApi,
  wordsIn,
} from './book.ts';
import {
  ask,
  Backups,
  catastrophe,
  endServer,
  rehearsalFolder,
  type Server,
  startServer,
} from './server.ts';
import { faultsAt, type Loss, lossOf } from './verdict.ts';
import { startWriters, type Writers } from './writers.ts';

export interface Options {
  programs: string;
  seed: number;
  /** More settings of the server, as `name=value`. */
  settings?: readonly string[];
  /** The server acknowledges nothing that the receiver has not put on its disk. */
  synchronous?: boolean;
  /** Fills the database before anything else happens. */
  fill?: (book: string) => Promise<void>;
  /** Between the last backup and the return: how a cold disk is made. */
  beforeRestore?: (backupFolder: string) => Promise<void>;
}

export interface Outcome {
  catastrophe: number;
  databaseBytes: number;
  loss: Loss;
  /** Lessons and payments that are there more often than once. */
  doubled: number;
  faults: Fault[];
  secondsBack: number;
  /** Of that, what the script took. */
  secondsRestoring: number;
}

/** As many as each time under load sees at least. */
const WRITES = 10;

/** Where the writers stood still: its rows were counted and must be the same after a restore to this moment. */
interface Marker {
  moment: number;
  sums: Record<string, string>;
}

/** One life of a server, from its first day to a catastrophe and back, with what is needed to look at it from all sides. */
export class Rehearsal {
  readonly #options: Options;
  readonly #random: () => number;
  readonly folder = rehearsalFolder();
  server!: Server;
  urls!: DatabaseUrls;
  api!: Api;
  backups!: Backups;
  writers!: Writers;
  baseSeconds = 0;
  #count = 0;

  private constructor(options: Options) {
    this.#options = options;
    this.#random = dice(options.seed);
  }

  static async begin(options: Options): Promise<Rehearsal> {
    const one = new Rehearsal(options);
    one.server = await startServer(one.folder, options.programs, options.settings);
    one.urls = await makeBook(one.server);
    await options.fill?.(bookOn(one.server));
    one.api = await startApi(one.urls);
    return one;
  }

  /** From here on every change is received, and a base backup is taken while tutors write. */
  async backUp(prefix: string, tutors = 4): Promise<void> {
    this.backups = new Backups(this.folder, this.server, `backup-${prefix}`);
    await this.backups.stream(this.server);
    if (this.#options.synchronous) {
      await ask(
        this.server.adminUrl,
        `alter system set synchronous_standby_names = 'lessonbook_wal'`,
      );
      await ask(this.server.adminUrl, 'select pg_reload_conf()');
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
    await ask(this.server.adminUrl, 'select pg_switch_wal()');
    const enough = this.writers.acknowledge(WRITES);
    await sleep(ms + 1000 * this.#random());
    await enough;
  }

  async standStill(): Promise<Marker> {
    await this.writers.pause();
    await sleep(20);
    const moment = Date.now();
    const sums = await checksums(bookOn(this.server));
    await sleep(20);
    this.writers.go();
    return { moment, sums };
  }

  /** Ends the machine, brings the newest state back on the same port, and looks at what is there. */
  async loseAndReturn(): Promise<Outcome> {
    const { server, writers } = this;
    const [size] = await ask<{ bytes: string }>(
      bookOn(server),
      'select pg_database_size(current_database()) as bytes',
    );
    const moment = catastrophe(server);
    await writers.stop();
    await this.backups.stopStreaming();
    const coldFor = await timed(() => this.#options.beforeRestore?.(this.backups.folder));
    const secondsRestoring = await timed(async () => {
      this.server = await this.backups.restore(server, 'latest', this.#name(), server.port);
    });
    const back = await serving(writers.browsers[0] as never);
    const found = await wordsIn(this.server);
    const written = writers.journal.filter(({ words }) => found.has(words)).length;
    return {
      catastrophe: moment,
      databaseBytes: Number(size?.bytes),
      loss: lossOf(writers.journal, found, moment),
      doubled:
        (await countOf(this.server, this.writers.usernames[0]?.slice(0, -1) ?? '')) - written,
      faults: await faultsIn(this.server, writers.usernames),
      secondsBack: (back - moment) / 1000 - coldFor,
      secondsRestoring,
    };
  }

  /** A second server beside the living one, as everything was at a moment, or at the latest there is. */
  async at(moment?: number): Promise<{
    seconds: number;
    faults: Fault[];
    /** Compared with the journal; at another moment than the one restored to, if one is given. */
    wrong: (asIf: number) => string[];
    sums: Record<string, string>;
  }> {
    const when = moment === undefined ? 'latest' : new Date(moment).toISOString();
    const start = performance.now();
    const copy = await this.backups.restore(this.server, when, this.#name(), await freePort());
    const seconds = (performance.now() - start) / 1000;
    try {
      const found = await wordsIn(copy);
      return {
        seconds,
        faults: await faultsIn(copy, this.writers.usernames),
        wrong: (asIf) => faultsAt(this.writers.journal, found, asIf),
        sums: await checksums(bookOn(copy)),
      };
    } finally {
      await endServer(copy);
    }
  }

  async end(): Promise<void> {
    await this.writers.stop();
    await this.backups.stopStreaming();
    await this.api.stop();
    await endServer(this.server);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #name(): string {
    this.#count += 1;
    return `restored-${this.#count}`;
  }
}

async function timed(work: () => Promise<void> | undefined): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}

/** Numbers from 0 to below 1 that come again from the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
