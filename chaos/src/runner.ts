import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutor, newSignupInput } from '@lessonbook/server/src/test/create-tutor.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import type pg from 'pg';
import type { ChaosEnvironment } from './chaos-environment.ts';
import { runFinalChecks } from './checks/final-checks.ts';
import { openPool } from './crash-tolerant-db-pool.ts';
import { Supervisor } from './fault-injectors/supervisor.ts';
import { VendorFaultInjector } from './fault-injectors/vendor-faults.ts';
import { JobTrigger } from './job-trigger.ts';
import { type Kill, planKills } from './kill-schedule.ts';
import type { Outcome } from './report.ts';
import { ChaosResults } from './results.ts';
import { countTotalWrites, type Size } from './run-sizes.ts';
import type { SelfTest, SelfTestTools } from './self-test.ts';
import { LoadBalancer, type Servers } from './virtual-users/retrying-client.ts';
import { TutorRotation } from './virtual-users/tutor-rotation.ts';

const PROGRESS_MS = 10_000;
/** How many more writes may be acknowledged while a kill is overdue. */
const MAX_WRITES_AHEAD = 120;

/** Starts the product with production durability, runs the workload and the kills, and checks each tutor's data. */
export async function runChaosTest(
  size: Size,
  seed: number,
  selfTest: SelfTest | null,
  slowdown: number,
): Promise<Outcome> {
  // An external server must not be killed.
  delete process.env['DATABASE_ADMIN_URL'];
  const app = await startLessonbook({
    apis: 2,
    workers: size.workers,
    durable: true,
    googleSignIn: false,
    // In production, browsers, vendors and this test would run on other machines.
    priority: -10,
    env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'error' },
  });
  const maintenanceDb = openPool(app.databaseUrls.maintenanceUrl);
  const superuserUrl = new URL(app.postgres.adminUrl);
  superuserUrl.pathname = new URL(app.databaseUrls.ownerUrl).pathname;
  const superuserDb = openPool(superuserUrl.href);
  try {
    const jobTrigger = new JobTrigger(app.databaseUrls.ownerUrl, maintenanceDb, superuserDb);
    await jobTrigger.start();
    try {
      return await new ChaosRun(
        size,
        seed,
        selfTest,
        slowdown,
        app,
        maintenanceDb,
        { superuserDb },
        jobTrigger,
      ).run();
    } finally {
      await jobTrigger.stop();
    }
  } finally {
    await Promise.all([maintenanceDb.end(), superuserDb.end()]);
    await app.stop();
  }
}

class ChaosRun {
  readonly #size: Size;
  readonly #selfTest: SelfTest | null;
  readonly #slowdown: number;
  readonly #app: Lessonbook;
  readonly #tools: SelfTestTools;
  readonly #jobTrigger: JobTrigger;
  readonly #vendorFaults: VendorFaultInjector;
  readonly #results = new ChaosResults();
  readonly #environment: ChaosEnvironment;
  readonly #rotation: TutorRotation;
  readonly #kills: Kill[];
  #killCount = 0;
  #finished = false;

  constructor(
    size: Size,
    seed: number,
    selfTest: SelfTest | null,
    slowdown: number,
    app: Lessonbook,
    maintenanceDb: pg.Pool,
    tools: SelfTestTools,
    jobTrigger: JobTrigger,
  ) {
    this.#size = size;
    this.#selfTest = selfTest;
    this.#slowdown = slowdown;
    this.#app = app;
    this.#tools = tools;
    this.#jobTrigger = jobTrigger;
    this.#kills = planKills(size, seed);
    const servers: Servers = { urls: app.urls, origin: app.url, loadBalancer: new LoadBalancer() };
    const { mailbox, stripe, google } = app;
    if (!stripe || !google) throw new Error('The Stripe and Google fakes are required');
    this.#environment = {
      servers,
      maintenanceDb,
      results: this.#results,
      seed,
      mailbox,
      stripe: stripe.control,
      google: google.control,
    };
    this.#rotation = new TutorRotation(this.#environment, size);
    this.#vendorFaults = new VendorFaultInjector(
      this.#environment,
      seed,
      size.vendorFaults,
      countTotalWrites(size),
    );
  }

  async run(): Promise<Outcome> {
    const start = performance.now();
    const supervisor = await this.#startSupervisor();
    await this.#selfTest?.before?.(this.#tools);
    const progress = setInterval(() => this.#printProgress(start), PROGRESS_MS);
    try {
      await this.#vendorFaults.start();
      const isFinished = () => this.#finished;
      await Promise.all([
        this.#runTutors(),
        this.#runKills(supervisor),
        this.#vendorFaults.run(() => this.#results.acknowledged, isFinished),
        this.#jobTrigger.tickUntil(isFinished),
      ]);
      // The planted fault was detected: the remaining checks are not needed.
      if (this.#isDetected()) return this.#createOutcome(start, supervisor, []);
      const notes = await runFinalChecks(
        this.#environment,
        this.#rotation.tutors,
        this.#vendorFaults,
        this.#jobTrigger,
        supervisor.recoveryTimes,
      );
      await this.#rotation.checkAllTutors();
      return this.#createOutcome(start, supervisor, notes);
    } finally {
      clearInterval(progress);
      supervisor.expectExits();
    }
  }

  #createOutcome(start: number, supervisor: Supervisor, notes: string[]): Outcome {
    this.#results.attachLogLines(supervisor.logLines());
    return {
      results: this.#results,
      recoveryTimes: supervisor.recoveryTimes,
      checksRun: this.#rotation.checksRun,
      valuesCompared: this.#rotation.valuesCompared,
      seconds: (performance.now() - start) / 1000,
      notes,
    };
  }

  async #startSupervisor(): Promise<Supervisor> {
    const { url } = this.#app;
    const { browser } = await createTutor(
      { browser: () => new Browser(url, url) },
      newSignupInput(),
    );
    return new Supervisor(this.#app, this.#results, browser.cookies, {
      restartDelayMs: this.#selfTest?.restartDelayMs ?? 0,
      slowdown: this.#slowdown,
    });
  }

  async #runTutors(): Promise<void> {
    try {
      await this.#rotation.run(
        () => this.#finished,
        () => this.#throttle(),
      );
    } finally {
      this.#finished = true;
    }
  }

  /** Holds writes back while the check after the latest kill is still running, so that the next kill is not late. */
  async #throttle(): Promise<void> {
    const isAhead = () =>
      this.#results.acknowledged >
      (this.#kills[this.#killCount]?.afterWrites ?? Infinity) + MAX_WRITES_AHEAD;
    while (isAhead() && !this.#finished) await pause(5);
  }

  async #runKills(supervisor: Supervisor): Promise<void> {
    for (const kill of this.#kills) {
      while (this.#results.acknowledged < kill.afterWrites && !this.#finished) {
        if (this.#isDetected()) this.#finished = true;
        await pause(2);
      }
      if (this.#finished) return;
      await pause(kill.delayMs);
      await supervisor.kill(kill);
      await this.#selfTest?.afterKill?.(this.#tools);
      await this.#rotation.checkActiveTutors();
      this.#killCount += 1;
      if (this.#isDetected()) this.#finished = true;
    }
  }

  #isDetected(): boolean {
    const { violations } = this.#results;
    return violations.some(({ check }) => check === this.#selfTest?.detectedBy);
  }

  #printProgress(start: number): void {
    const { acknowledged, violations } = this.#results;
    const share = ((100 * acknowledged) / countTotalWrites(this.#size)).toFixed(0);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(
      `${seconds.padStart(5)} s  ${share}%: ${acknowledged} acknowledged, ${this.#killCount} of ${this.#kills.length} kills, ${violations.length} violations`,
    );
  }
}
