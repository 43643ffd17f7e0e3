import { accounts } from '@lessonbook/contract/accounts';
import { type FakeGoogle, startGoogle } from '@lessonbook/fakes/google';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';
import { Browser } from './browser.ts';
import { compareCalendar, expireCalendarWaits } from './calendar-reconciliation.ts';
import { CalendarSimulation } from './calendar-simulation.ts';
import { googleEnvironment } from './calendar-test-app.ts';
import { Random } from './model/random.ts';
import { newSignupInput } from './tutor.ts';

/* Many made-up histories on both sides at once, while Google fails and workers are killed. When it is quiet again, calendar
   and book must differ in nothing. */

export interface CalendarStressOptions {
  seed: number;
  histories: number;
  steps: number;
  kills: number;
  /** Done to the database before it begins: a fault that the storm must notice. */
  seededBug?: string;
  /** How long the calendars may take to come to rest once the histories are over. */
  timeoutMs: number;
}

export interface CalendarStressReport {
  requests: number;
  lessons: number;
  proposals: number;
  kills: number;
  checked: number;
  violations: unknown[];
  differences: string[];
}

const CONCURRENCY = 8;

export async function runCalendarStress(
  plan: CalendarStressOptions,
): Promise<CalendarStressReport> {
  // The quota is the burst's affair; here it would only make the storm longer.
  const google = await startGoogle({
    seed: plan.seed,
    pageLimit: 20,
    quotas: { perUserPerMinute: 100_000, perProjectPerMinute: 1_000_000 },
    delivery: { copies: 2, shuffle: true, delay: [0, 300] },
  });
  const book = await startLessonbook({
    workers: 2,
    cards: false,
    // They bring their own.
    calendar: false,
    googleSignIn: false,
    env: { RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'silent', ...googleEnvironment(google) },
  });
  const adminDb = new pg.Pool({ connectionString: book.databaseUrls.maintenanceUrl, max: 2 });
  const owner = new pg.Pool({ connectionString: book.databaseUrls.ownerUrl, max: 1 });
  try {
    if (plan.seededBug) await owner.query(plan.seededBug);
    return await new StressRun(plan, google, book, adminDb, owner).run();
  } finally {
    await Promise.all([adminDb.end(), owner.end()]);
    await book.stop();
    await google.close();
  }
}

class StressRun {
  readonly #plan: CalendarStressOptions;
  readonly #google: FakeGoogle;
  readonly #book: Lessonbook;
  readonly #inside: pg.Pool;
  readonly #owner: pg.Pool;
  readonly #histories: CalendarSimulation[] = [];
  #killed = 0;
  #stepsDone = 0;

  constructor(
    plan: CalendarStressOptions,
    google: FakeGoogle,
    book: Lessonbook,
    adminDb: pg.Pool,
    owner: pg.Pool,
  ) {
    this.#plan = plan;
    this.#google = google;
    this.#book = book;
    this.#inside = adminDb;
    this.#owner = owner;
  }

  async run(): Promise<CalendarStressReport> {
    let next = 0;
    const lane = async () => {
      for (let index = next++; index < this.#plan.histories; index = next++) {
        const history = await this.#open(index);
        for (let step = 0; step < this.#plan.steps; step += 1) {
          await history.step();
          this.#stepsDone += 1;
          if (this.#stepsDone % 3 === 0) await this.#letTimePass(history);
          await this.#killInTurn();
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, lane));
    await this.#google.control.clearFaults();
    const restless = await this.#untilQuiet();
    return this.#report(restless);
  }

  async #open(index: number): Promise<CalendarSimulation> {
    const browser = new Browser(this.#book.url, this.#book.url);
    const input = newSignupInput();
    await browser.call(accounts.signup, { body: input });
    const { username, password } = input;
    await browser.call(accounts.login, { body: { username, password } });
    const random = new Random(this.#plan.seed + index * 7_919);
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

  async #killInTurn(): Promise<void> {
    const { kills, histories, steps } = this.#plan;
    if (this.#killed + 0.5 > (kills * this.#stepsDone) / (histories * steps)) return;
    this.#killed += 1;
    const worker = this.#book.workers.shift();
    worker?.kill('SIGKILL');
    await worker?.exited;
    // On a machine that is very busy it may come up late; the other one goes on meanwhile.
    await this.#book.startWorker().catch(() => this.#book.startWorker());
  }

  /** Gives those that do not come to rest. */
  async #untilQuiet(): Promise<string[]> {
    let restless = this.#histories;
    const end = performance.now() + this.#plan.timeoutMs;
    const since = new Date();
    while (restless.length > 0 && performance.now() < end) {
      await this.#letTimePass();
      await this.#google.control.whenIdle();
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const still: CalendarSimulation[] = [];
      for (const history of restless) {
        if ((await history.checkSettled(since)) !== 'in step') still.push(history);
      }
      restless = still;
    }
    return restless.map(({ user }) => `${user} is restless`);
  }

  async #letTimePass(history?: CalendarSimulation): Promise<void> {
    await expireCalendarWaits(this.#inside, history?.user);
    await this.#owner.query(
      `insert into jobs.job (name, data) values ('enqueue-calendar-syncs', '{}')`,
    );
  }

  async #report(restless: string[]): Promise<CalendarStressReport> {
    const { checked, violations } = await this.#google.control.conformance();
    const { rows } = await this.#inside.query<{ count: number }>(
      'select count(*)::int as count from external_changes',
    );
    const compared = await this.#compare();
    return {
      requests: (await this.#google.control.calls()).length,
      lessons: compared.lessons,
      proposals: rows[0]?.count ?? 0,
      kills: this.#killed,
      checked,
      violations,
      differences: [...restless, ...compared.differences],
    };
  }

  async #compare(): Promise<{ lessons: number; differences: string[] }> {
    const differences: string[] = [];
    let lessons = 0;
    for (const { user, moved } of this.#histories) {
      const compared = await compareCalendar(this.#inside, this.#google.control, user);
      lessons += compared.lessons;
      differences.push(...compared.differences);
      if (compared.moved !== moved)
        differences.push(`${user}: ${compared.moved} moved, ${moved} by the tutor`);
    }
    return { lessons, differences };
  }
}
