import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosEnvironment } from '@lessonbook/chaos/src/chaos-environment.ts';
import { runFinalChecks } from '@lessonbook/chaos/src/checks/final-checks.ts';
import { NOTHING_DUPLICATED, NOTHING_LOST } from '@lessonbook/chaos/src/checks/saved-data.ts';
import { openPool } from '@lessonbook/chaos/src/crash-tolerant-db-pool.ts';
import { RECOVERS_IN_TIME, Supervisor } from '@lessonbook/chaos/src/fault-injectors/supervisor.ts';
import { VendorFaultInjector } from '@lessonbook/chaos/src/fault-injectors/vendor-faults.ts';
import { JobTrigger } from '@lessonbook/chaos/src/job-trigger.ts';
import { ChaosResults, NO_SERVER_ERRORS } from '@lessonbook/chaos/src/results.ts';
import { LoadBalancer } from '@lessonbook/chaos/src/virtual-users/retrying-client.ts';
import { TutorRotation } from '@lessonbook/chaos/src/virtual-users/tutor-rotation.ts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutor } from '@lessonbook/server/src/test/create-tutor.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/test-env/lessonbook';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import {
  findLostWrites,
  isExpectedResponse,
  Load,
} from '../database-network-outage/timed-tutor-load.ts';
import type { Cluster } from './cluster.ts';
import { FAULTS, type FaultKind } from './fault-plan.ts';
import { INJECTORS, waitForPrimary } from './inject-fault.ts';
import { isWritingAgain, measureInterruption } from './measure-write-interruption.ts';
import { type MeasuredFault, ONE_PRIMARY, type Outcome } from './report.ts';
import { NODE_NAMES, plugCable, pullCable } from './simulated-machines.ts';

const APIS = 2;
/** The pause between the requests of a tutor whose responses are timed; there is one such tutor for each API. */
const TIMED_PAUSE_MS = 100;
/** The pause before each action of the other tutors, because the machines in this test share few processors. */
const ACTION_PAUSE_MS = 100;
const SIZE = { tutors: 10_000, concurrentTutors: 2, virtualUsers: 2, writes: 500 };
const UNDISTURBED_MS = 2_000;
/** For the control: how long the tutors write, and how long the primary is then cut off from its standbys. */
const CONTROL_LOAD_MS = 10_000;
const CUT_BEFORE_LOSS_MS = 500;
const RECOVERY_TIMEOUT_MS = 120_000;

/** Runs the product on the cluster, with tutors who write continuously. */
export class FailoverRun {
  readonly #cluster: Cluster;
  readonly #seed: number;
  readonly #slowdown: number;
  readonly #actionPauseMs: number;
  readonly #results = new ChaosResults();
  readonly #load = new Load(TIMED_PAUSE_MS);
  readonly #measured: MeasuredFault[] = [];
  #finished = false;

  constructor(
    cluster: Cluster,
    options: { seed: number; slowdown: number; actionPauseMs?: number },
  ) {
    this.#cluster = cluster;
    this.#seed = options.seed;
    this.#slowdown = options.slowdown;
    this.#actionPauseMs = options.actionPauseMs ?? ACTION_PAUSE_MS;
  }

  /** Injects the faults one after another, until the time is up, then checks everything. */
  run(faults: readonly FaultKind[], endAt: number): Promise<Outcome> {
    const random = new Random(this.#seed ^ 0x68617574);
    return this.#withWorkload(async (app, rotation) => {
      for (const kind of faults) {
        if (performance.now() > endAt) break;
        await this.#injectFault(app, kind, random);
        await rotation.checkActiveTutors();
      }
    }, true);
  }

  /**
   * Without synchronous replication: cuts off both standbys, then kills the primary, which has writes that the standbys lack.
   * The checks must find lost writes; otherwise they prove nothing.
   */
  runControl(): Promise<Outcome> {
    return this.#withWorkload(async () => {
      await pause(CONTROL_LOAD_MS);
      await this.#cluster.waitUntilHealthy();
      const primary = await this.#cluster.primary();
      const standbys = NODE_NAMES.filter((node) => node !== primary);
      for (const node of standbys) pullCable(node);
      await pause(CUT_BEFORE_LOSS_MS);
      // The cable is pulled first, because the namespace would otherwise still deliver the data in its connections' buffers.
      pullCable(primary);
      this.#cluster.killNode(primary);
      // Later writes would hide which writes are missing.
      this.#finished = true;
      for (const node of standbys) plugCable(node);
      await waitForPrimary(this.#cluster, (node) => node !== primary);
    }, false);
  }

  /** Runs `disturb` under load, then stops the load and compares the data. */
  async #withWorkload(
    disturb: (app: Lessonbook, rotation: TutorRotation) => Promise<void>,
    /** If false, only the acknowledged writes are compared. */
    checkEverything: boolean,
  ): Promise<Outcome> {
    const start = performance.now();
    const app = await startLessonbook({
      apis: APIS,
      googleSignIn: false,
      database: { adminUrl: this.#cluster.adminUrl, password: 'lessonbook' },
      priority: -10,
      env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'error' },
    });
    const maintenanceDb = openPool(app.databaseUrls.maintenanceUrl);
    const superuserUrl = new URL(this.#cluster.adminUrl);
    superuserUrl.pathname = new URL(app.databaseUrls.ownerUrl).pathname;
    const superuserDb = openPool(superuserUrl.href);
    let supervisor: Supervisor | undefined;
    const jobTrigger = new JobTrigger(app.databaseUrls.ownerUrl, maintenanceDb, superuserDb);
    try {
      await jobTrigger.start();
      const environment = this.#createEnvironment(app, maintenanceDb);
      const vendorFaults = new VendorFaultInjector(environment, this.#seed, 0, 0);
      await vendorFaults.start();
      const { browser } = await createTutor({ browser: () => new Browser(app.url, app.url) });
      const options = { restartDelayMs: 0, slowdown: this.#slowdown };
      supervisor = new Supervisor(app, this.#results, browser.cookies, options);
      const rotation = new TutorRotation(environment, SIZE);
      await this.#load.start(app, APIS);
      const isFinished = () => this.#finished;
      const disturbAndStop = async () => {
        try {
          await waitUntil(
            () => rotation.tutors.length >= SIZE.concurrentTutors,
            () => 'The tutors could not be set up',
            RECOVERY_TIMEOUT_MS,
          );
          await disturb(app, rotation);
        } finally {
          this.#finished = true;
          await this.#load.stop();
        }
      };
      await Promise.all([
        rotation.run(isFinished, () => pause(this.#actionPauseMs)),
        jobTrigger.tickUntil(isFinished),
        disturbAndStop(),
      ]);
      supervisor.recoveryTimes.postgres.push(...this.#measured.map(({ ms }) => ms));
      const notes: string[] = [];
      if (checkEverything) {
        const { recoveryTimes } = supervisor;
        notes.push(
          ...(await runFinalChecks(
            environment,
            rotation.tutors,
            vendorFaults,
            jobTrigger,
            recoveryTimes,
          )),
        );
        await rotation.checkAllTutors();
      }
      await this.#checkLoad(app);
      this.#results.attachLogLines(supervisor.logLines());
      const { checksRun, valuesCompared } = rotation;
      const seconds = (performance.now() - start) / 1000;
      const timed = this.#load.acknowledged.size;
      const slowestMs = Math.max(
        ...this.#load.responses.map((each) => each.endedAt - each.startedAt),
      );
      const results = this.#results;
      return {
        results,
        measured: this.#measured,
        checksRun,
        valuesCompared,
        timed,
        slowestMs,
        seconds,
        notes,
      };
    } finally {
      supervisor?.expectExits();
      await jobTrigger.stop();
      await Promise.all([maintenanceDb.end(), superuserDb.end()]);
      await app.stop();
    }
  }

  #createEnvironment(
    app: Lessonbook,
    maintenanceDb: ChaosEnvironment['maintenanceDb'],
  ): ChaosEnvironment {
    const { mailbox, stripe, google } = app;
    if (!stripe || !google) throw new Error('The Stripe and Google fakes are required');
    return {
      servers: { urls: app.urls, origin: app.url, loadBalancer: new LoadBalancer() },
      maintenanceDb,
      results: this.#results,
      seed: this.#seed,
      mailbox,
      stripe: stripe.control,
      google: google.control,
    };
  }

  async #injectFault(app: Lessonbook, kind: FaultKind, random: Random): Promise<void> {
    await pause(UNDISTURBED_MS);
    const fault = await INJECTORS[kind](this.#cluster, random);
    const { detail, startedAt, repairedAt, primaryAt, repair } = fault;
    const { responses } = this.#load;
    await waitUntil(
      () => isWritingAgain(responses, app.urls, primaryAt),
      () => `No write succeeded after "${FAULTS[kind].description}"`,
      RECOVERY_TIMEOUT_MS,
    );
    const [from, to] = [repairedAt ?? startedAt, performance.now()];
    const { pauseMs, resumedAfterMs } = measureInterruption(responses, app.urls, from, to);
    const ms = FAULTS[kind].measured === 'longest pause' ? pauseMs : resumedAfterMs;
    repair();
    const repairStart = performance.now();
    await this.#cluster.waitUntilHealthy();
    const rejoinMs = performance.now() - repairStart;
    this.#measured.push({ kind, ms, rejoinMs });
    console.log(
      `${String(this.#measured.length).padStart(3)}  ${kind.padEnd(13)} ${detail}: ${(ms / 1000).toFixed(1)} s, all machines back after ${(rejoinMs / 1000).toFixed(1)} s; ${this.#results.acknowledged + this.#load.acknowledged.size} writes acknowledged`,
    );
    if (fault.hadTwoPrimaries) this.#results.reportViolation(ONE_PRIMARY, `${kind} ${detail}`);
    if (ms > FAULTS[kind].limitMs * this.#slowdown)
      this.#results.reportViolation(RECOVERS_IN_TIME, `${kind}: ${(ms / 1000).toFixed(1)} s`);
  }

  async #checkLoad(app: Lessonbook): Promise<void> {
    for (const fault of await findLostWrites(app.databaseUrls.maintenanceUrl, this.#load))
      this.#results.reportViolation(
        fault.endsWith(' 0 times') ? NOTHING_LOST : NOTHING_DUPLICATED,
        fault,
      );
    for (const response of this.#load.responses.filter((each) => !isExpectedResponse(each)))
      this.#results.reportViolation(
        NO_SERVER_ERRORS,
        `${response.operation} returned ${response.status}`,
      );
  }
}
