import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import type { Lessonbook, ServingProcess } from '@lessonbook/test-env/lessonbook';
import type { Kill } from '../kill-schedule.ts';
import type { ChaosResults } from '../results.ts';
import type { Victim } from '../run-sizes.ts';

/** The recovery goal on an idle machine. */
const RECOVERY_LIMIT_MS = 5_000;
export const NO_UNEXPECTED_EXIT = 'no process exits unexpectedly';
export const RECOVERS_IN_TIME = 'recovers in time';
const GIVE_UP_MS = 120_000;

/** Kills processes and restarts them immediately, as a process manager does in production. */
export class Supervisor {
  readonly #app: Lessonbook;
  readonly #results: ChaosResults;
  readonly #cookies: ReadonlyMap<string, string>;
  /** Set by a self-test. */
  readonly #restartDelayMs: number;
  readonly #recoveryLimitMs: number;
  /** On a shared machine, waiting for the CPU says nothing about the product. */
  readonly #ignoresCpuWait: boolean;
  /** How long the last restarted process waited for the CPU; on a busy machine this is most of its start time. */
  #cpuWaitMs: number | null = null;
  readonly #watched = new Set<ServingProcess>();
  readonly #processes: ServingProcess[] = [];
  readonly recoveryTimes: Record<Victim, number[]> = { api: [], worker: [], postgres: [] };

  constructor(
    app: Lessonbook,
    results: ChaosResults,
    /** Cookies of a logged-in tutor. */
    cookies: ReadonlyMap<string, string>,
    options: { restartDelayMs: number; slowdown: number },
  ) {
    this.#app = app;
    this.#results = results;
    this.#cookies = cookies;
    this.#restartDelayMs = options.restartDelayMs;
    this.#recoveryLimitMs = options.slowdown * RECOVERY_LIMIT_MS;
    this.#ignoresCpuWait = options.slowdown > 1;
    for (const each of [...app.apis, ...app.workers]) this.#watch(each);
  }

  /**
   * Kills and restarts a process and waits until it (for postgres: every API process) serves again. Returns the downtime in
   * milliseconds.
   */
  async kill(kill: Kill): Promise<number> {
    const start = performance.now();
    this.#cpuWaitMs = null;
    if (kill.victim === 'postgres') await this.#killPostgres(kill);
    else await this.#killProcess(kill.victim, kill.index);
    const downtime = performance.now() - start;
    this.recoveryTimes[kill.victim].push(downtime);
    const ignoredMs = this.#ignoresCpuWait ? (this.#cpuWaitMs ?? 0) : 0;
    if (downtime - ignoredMs > this.#recoveryLimitMs) {
      const cpuWaitNote =
        this.#cpuWaitMs === null
          ? ''
          : `, ${formatSeconds(this.#cpuWaitMs)} of it waiting for the CPU`;
      this.#results.reportViolation(
        RECOVERS_IN_TIME,
        `${kill.victim}: ${formatSeconds(downtime)}${cpuWaitNote}`,
      );
    }
    return downtime;
  }

  async #killPostgres({ signal }: Kill): Promise<void> {
    const { postgres } = this.#app;
    postgres.kill(signal);
    await postgres.exited();
    await pause(this.#restartDelayMs);
    await postgres.restart();
    await Promise.all(this.#app.apis.map(({ url }) => this.#waitUntilServing(url)));
  }

  async #killProcess(victim: 'api' | 'worker', index: number): Promise<void> {
    const list = victim === 'api' ? this.#app.apis : this.#app.workers;
    const [dying] = list.splice(index % list.length, 1);
    if (!dying) throw new Error(`There is no ${victim} to kill`);
    this.#watched.delete(dying);
    dying.kill('SIGKILL');
    await dying.exited;
    await pause(this.#restartDelayMs);
    await this.#restart(victim, dying);
  }

  async #restart(victim: 'api' | 'worker', dead: ServingProcess): Promise<void> {
    const end = performance.now() + GIVE_UP_MS;
    for (;;) {
      const list = victim === 'api' ? this.#app.apis : this.#app.workers;
      try {
        const port = Number(new URL(dead.url).port);
        const started =
          victim === 'api' ? await this.#app.startApi(port) : await this.#app.startWorker();
        this.#watch(started);
        if (victim === 'api') await this.#waitUntilServing(started.url);
        this.#cpuWaitMs = readCpuWaitMs(started.pid);
        return;
      } catch (error) {
        // The process died during start-up: start it again.
        list.pop();
        if (performance.now() > end) throw error;
      }
    }
  }

  /** Polls this process with an authenticated request, which also needs the database. */
  async #waitUntilServing(url: string): Promise<void> {
    const end = performance.now() + GIVE_UP_MS;
    const browser = new Browser(url, this.#app.url);
    browser.cookies = new Map(this.#cookies);
    for (;;) {
      const status = await browser.call(accounts.me).then(
        (response) => response.status,
        () => 0,
      );
      if (status === 200) return;
      if (performance.now() > end) throw new Error(`${url} did not recover; last status ${status}`);
      await pause(20);
    }
  }

  /** Reports an exit that the supervisor did not cause. */
  #watch(process: ServingProcess): void {
    this.#watched.add(process);
    this.#processes.push(process);
    void process.exited.then(({ code, signal }) => {
      if (!this.#watched.has(process) || this.#stopping) return;
      const outputTail = process.output().slice(-600);
      this.#results.reportViolation(
        NO_UNEXPECTED_EXIT,
        `${process.name}: ${code ?? signal}\n${outputTail}`,
      );
    });
  }

  /** Output of all processes, including killed ones. */
  logLines(): string[] {
    return this.#processes.flatMap((process) => process.output().split('\n'));
  }

  #stopping = false;
  /** Stops reporting unexpected exits. */
  expectExits(): void {
    this.#stopping = true;
  }
}

const formatSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** How long the main thread has waited for the CPU; Linux only. */
function readCpuWaitMs(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return null;
  }
}
