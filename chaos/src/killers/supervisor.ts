import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
import type { Lessonbook, ServingProcess } from '@lessonbook/stage/lessonbook';
import type { Kill, Victim } from '../plan.ts';
import type { Tally } from '../tally.ts';

/** The goal on a quiet machine. */
const SERVING_WITHIN_MS = 5_000;
export const STAYS_UP = 'no process ends by itself';
export const SERVING = 'serving again in time';
const GIVE_UP_MS = 120_000;

/** Kills, and restarts at once what was killed, as whoever watches over processes in production does. */
export class Supervisor {
  readonly #book: Lessonbook;
  readonly #tally: Tally;
  readonly #probe: ReadonlyMap<string, string>;
  /** Sabotage: a supervisor that sleeps before it restarts. */
  readonly #sleepMs: number;
  readonly #withinMs: number;
  /** How long the last restarted process stood in line for a processor: on a busy machine, most of the time. */
  #waited: number | null = null;
  readonly #watched = new Set<ServingProcess>();
  readonly #all: ServingProcess[] = [];
  readonly times: Record<Victim, number[]> = { api: [], worker: [], postgres: [] };

  constructor(
    book: Lessonbook,
    tally: Tally,
    /** The cookies of somebody who is logged in. */
    probe: ReadonlyMap<string, string>,
    options: { sleepMs: number; slowdown: number },
  ) {
    this.#book = book;
    this.#tally = tally;
    this.#probe = probe;
    this.#sleepMs = options.sleepMs;
    this.#withinMs = options.slowdown * SERVING_WITHIN_MS;
    for (const each of [...book.apis, ...book.workers]) this.#watch(each);
  }

  /** Kills, restarts, and waits for the first good answer. Gives how long nobody was served, in milliseconds. */
  async kill(kill: Kill): Promise<number> {
    const start = performance.now();
    this.#waited = null;
    if (kill.victim === 'postgres') await this.#killPostgres(kill);
    else await this.#killProcess(kill.victim, kill.which);
    const took = performance.now() - start;
    this.times[kill.victim].push(took);
    if (took > this.#withinMs) {
      const waited =
        this.#waited === null ? '' : `, ${inSeconds(this.#waited)} of it waiting for a processor`;
      this.#tally.fault(SERVING, `${kill.victim}: ${inSeconds(took)}${waited}`);
    }
    return took;
  }

  async #killPostgres({ signal }: Kill): Promise<void> {
    const { postgres } = this.#book;
    postgres.kill(signal);
    await postgres.exited();
    await pause(this.#sleepMs);
    await postgres.restart();
    await Promise.all(this.#book.apis.map(({ url }) => this.#goodAnswer(url)));
  }

  async #killProcess(victim: 'api' | 'worker', which: number): Promise<void> {
    const list = victim === 'api' ? this.#book.apis : this.#book.workers;
    const [dying] = list.splice(which % list.length, 1);
    if (!dying) throw new Error(`There is no ${victim} to kill`);
    this.#watched.delete(dying);
    dying.kill('SIGKILL');
    await dying.exited;
    await pause(this.#sleepMs);
    await this.#restart(victim, dying);
  }

  async #restart(victim: 'api' | 'worker', dead: ServingProcess): Promise<void> {
    const end = performance.now() + GIVE_UP_MS;
    for (;;) {
      const list = victim === 'api' ? this.#book.apis : this.#book.workers;
      try {
        const port = Number(new URL(dead.url).port);
        const started =
          victim === 'api' ? await this.#book.startApi(port) : await this.#book.startWorker();
        this.#watch(started);
        if (victim === 'api') await this.#goodAnswer(started.url);
        this.#waited = waitedFor(started.pid);
        return;
      } catch (problem) {
        // Whatever it died of while it started, it is started again.
        list.pop();
        if (performance.now() > end) throw problem;
      }
    }
  }

  /** From this very process, for somebody who is logged in: so its database answers too. */
  async #goodAnswer(url: string): Promise<void> {
    const end = performance.now() + GIVE_UP_MS;
    const browser = new Browser(url, this.#book.url);
    browser.cookies = new Map(this.#probe);
    for (;;) {
      const status = await browser.call(accounts.me).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200) return;
      if (performance.now() > end) throw new Error(`${url} gives no good answer: ${status}`);
      await pause(20);
    }
  }

  /** A process may end by our hand alone. */
  #watch(process: ServingProcess): void {
    this.#watched.add(process);
    this.#all.push(process);
    void process.exited.then(({ code, signal }) => {
      if (!this.#watched.has(process) || this.#stopping) return;
      const last = process.output().slice(-600);
      this.#tally.fault(STAYS_UP, `${process.name}: ${code ?? signal}\n${last}`);
    });
  }

  /** What all processes have written, the dead ones too. */
  logs(): string[] {
    return this.#all.flatMap((process) => process.output().split('\n'));
  }

  #stopping = false;
  /** What ends from now on is meant to. */
  rest(): void {
    this.#stopping = true;
  }
}

const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/** Of its main thread, in milliseconds; Linux counts it. */
function waitedFor(pid: number): number | null {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return null;
  }
}
