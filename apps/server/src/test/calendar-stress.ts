import { accounts } from '@lessonbook/contract/accounts';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { Browser } from './browser-client.ts';
import { CalendarSimulation } from './calendar-simulation.ts';
import { googleEnvironment } from './calendar-test-app.ts';
import { compareCalendar, skipCalendarDelays } from './compare-calendar-with-google.ts';
import { newSignupInput } from './create-tutor.ts';
import { Random } from './model/random.ts';
import { sharedDatabase } from './test-app.ts';
import { wakeWorkerForDueJobs } from './wake-worker.ts';

/* Runs many random histories that change sessions in Lessonbook and events in Google, while Google fails and workers are
   killed. Once the sync is idle again, both sides must match. */

export interface CalendarStressOptions {
  seed: number;
  histories: number;
  steps: number;
  kills: number;
  /** SQL that introduces a bug which the run must detect. */
  seededBug?: string;
  /** How long the calendars may take to become idle once the histories have finished. */
  timeoutMs: number;
}

export interface CalendarStressReport {
  requests: number;
  lessons: number;
  externalChanges: number;
  kills: number;
  checked: number;
  violations: unknown[];
  differences: string[];
}

const CONCURRENCY = 8;

export async function runCalendarStress(
  options: CalendarStressOptions,
): Promise<CalendarStressReport> {
  // Quotas are tested in bulk-sync-quota.test.ts; here they would only slow the run down.
  const google = await startGoogle({
    seed: options.seed,
    pageLimit: 20,
    quotas: { perUserPerMinute: 100_000, perProjectPerMinute: 1_000_000 },
    delivery: { copies: 2, shuffle: true, delay: [0, 300] },
  });
  const lessonbook = await startLessonbook({
    database: sharedDatabase(),
    workers: 2,
    cards: false,
    // The run has its own fake Google.
    calendar: false,
    googleSignIn: false,
    env: { RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'silent', ...googleEnvironment(google) },
  });
  const adminDb = new pg.Pool({ connectionString: lessonbook.databaseUrls.maintenanceUrl, max: 2 });
  const ownerDb = new pg.Pool({ connectionString: lessonbook.databaseUrls.ownerUrl, max: 1 });
  const stopWaking = wakeWorkerForDueJobs(lessonbook.databaseUrls.maintenanceUrl);
  try {
    if (options.seededBug) await ownerDb.query(options.seededBug);
    return await new StressRun(options, google, lessonbook, adminDb, ownerDb).run();
  } finally {
    await Promise.all([adminDb.end(), ownerDb.end(), stopWaking()]);
    await lessonbook.stop();
    await google.close();
  }
}

class StressRun {
  readonly #options: CalendarStressOptions;
  readonly #google: FakeGoogle;
  readonly #lessonbook: Lessonbook;
  readonly #adminDb: pg.Pool;
  readonly #ownerDb: pg.Pool;
  readonly #histories: CalendarSimulation[] = [];
  #killCount = 0;
  #stepsDone = 0;

  constructor(
    options: CalendarStressOptions,
    google: FakeGoogle,
    lessonbook: Lessonbook,
    adminDb: pg.Pool,
    ownerDb: pg.Pool,
  ) {
    this.#options = options;
    this.#google = google;
    this.#lessonbook = lessonbook;
    this.#adminDb = adminDb;
    this.#ownerDb = ownerDb;
  }

  async run(): Promise<CalendarStressReport> {
    let next = 0;
    const runHistories = async () => {
      for (let index = next++; index < this.#options.histories; index = next++) {
        const history = await this.#createHistory(index);
        for (let step = 0; step < this.#options.steps; step += 1) {
          await history.step();
          this.#stepsDone += 1;
          if (this.#stepsDone % 3 === 0) await this.#skipDelays(history);
          await this.#killWhenDue();
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, runHistories));
    await this.#google.control.clearFaults();
    const busy = await this.#waitUntilIdle();
    return this.#report(busy);
  }

  async #createHistory(index: number): Promise<CalendarSimulation> {
    const browser = new Browser(this.#lessonbook.url, this.#lessonbook.url);
    const input = newSignupInput();
    await browser.call(accounts.signup, { body: input });
    const { username, password } = input;
    await browser.call(accounts.login, { body: { username, password } });
    const random = new Random(this.#options.seed + index * 7_919);
    const history = new CalendarSimulation(
      this.#google,
      browser,
      random,
      `${username}@gmail.example`,
    );
    this.#histories.push(history);
    await history.setUp();
    return history;
  }

  async #killWhenDue(): Promise<void> {
    const { kills, histories, steps } = this.#options;
    if (this.#killCount + 0.5 > (kills * this.#stepsDone) / (histories * steps)) return;
    this.#killCount += 1;
    const worker = this.#lessonbook.workers.shift();
    worker?.kill('SIGKILL');
    await worker?.exited;
    // On a busy machine the start may time out, so it is tried twice. The other worker keeps running in the meantime.
    await this.#lessonbook.startWorker().catch(() => this.#lessonbook.startWorker());
  }

  /** Returns the histories that are not idle when the timeout expires. */
  async #waitUntilIdle(): Promise<string[]> {
    let busy = this.#histories;
    const deadline = performance.now() + this.#options.timeoutMs;
    const since = new Date();
    while (busy.length > 0 && performance.now() < deadline) {
      await this.#skipDelays();
      await this.#google.control.whenIdle();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const notIdle: CalendarSimulation[] = [];
      for (const history of busy) {
        if (!(await history.isIdle(since))) notIdle.push(history);
      }
      busy = notIdle;
    }
    return busy.map(({ user }) => `${user} is not idle`);
  }

  async #skipDelays(history?: CalendarSimulation): Promise<void> {
    await skipCalendarDelays(this.#adminDb, history?.user);
    await this.#ownerDb.query(
      `insert into jobs.job (name, data) values ('enqueue-calendar-syncs', '{}')`,
    );
  }

  async #report(busy: string[]): Promise<CalendarStressReport> {
    const { checked, violations } = await this.#google.control.conformance();
    const { rows } = await this.#adminDb.query<{ count: number }>(
      'select count(*)::int as count from external_changes',
    );
    const compared = await this.#compare();
    return {
      requests: (await this.#google.control.calls()).length,
      lessons: compared.lessons,
      externalChanges: rows[0]?.count ?? 0,
      kills: this.#killCount,
      checked,
      violations,
      differences: [...busy, ...compared.differences],
    };
  }

  async #compare(): Promise<{ lessons: number; differences: string[] }> {
    const differences: string[] = [];
    let lessons = 0;
    for (const { user, movedCount } of this.#histories) {
      const compared = await compareCalendar(this.#adminDb, this.#google.control, user);
      lessons += compared.lessons;
      differences.push(...compared.differences);
      if (compared.moved !== movedCount)
        differences.push(
          `${user}: ${compared.moved} sessions moved, but the tutor moved ${movedCount}`,
        );
    }
    return { lessons, differences };
  }
}
