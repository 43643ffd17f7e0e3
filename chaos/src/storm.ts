import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '@lessonbook/server/src/test/browser.ts';
import { newTutor, signedIn } from '@lessonbook/server/src/test/tutor.ts';
import { type Lessonbook, startLessonbook } from '@lessonbook/stage/lessonbook';
import type pg from 'pg';
import { checkBook } from './checks/book.ts';
import { closingChecks } from './checks/closing.ts';
import { Doors } from './clients/client.ts';
import { type House, Tutor } from './clients/tutor.ts';
import { Errands } from './errands.ts';
import { looking, openPool } from './inside.ts';
import { Supervisor } from './killers/supervisor.ts';
import { Weather } from './killers/vendors.ts';
import { type Kill, planKills, type Size, writesOf } from './plan.ts';
import type { Outcome } from './report.ts';
import type { Sabotage, Tools } from './sabotage.ts';
import { ANSWERED, Tally } from './tally.ts';

const PROGRESS_MS = 10_000;
/** So many writes may be acknowledged after the moment of a kill that could not come yet. */
const LATE = 120;

/** Starts the whole product with production durability, lets tutors write and killers kill, and looks at every book. */
export async function storm(
  size: Size,
  seed: number,
  sabotage: Sabotage | null,
  slowdown: number,
): Promise<Outcome> {
  // It is about a server of our own, which may be killed.
  delete process.env['DATABASE_ADMIN_URL'];
  const book = await startLessonbook({
    apis: 2,
    workers: size.workers,
    durable: true,
    googleSignIn: false,
    // Browsers, vendors and we who look on would be on other machines.
    priority: -10,
    env: { RATE_LIMIT_FACTOR: '1000000', LOG_LEVEL: 'error' },
  });
  const inside = openPool(book.databaseUrls.maintenanceUrl);
  const adminUrl = new URL(book.postgres.adminUrl);
  adminUrl.pathname = new URL(book.databaseUrls.ownerUrl).pathname;
  const admin = openPool(adminUrl.href);
  try {
    const errands = new Errands(book.databaseUrls.ownerUrl, inside, admin);
    await errands.start();
    try {
      return await new Storm(
        size,
        seed,
        sabotage,
        slowdown,
        book,
        inside,
        { admin },
        errands,
      ).run();
    } finally {
      await errands.stop();
    }
  } finally {
    await Promise.all([inside.end(), admin.end()]);
    await book.stop();
  }
}

class Storm {
  readonly #size: Size;
  readonly #sabotage: Sabotage | null;
  readonly #slowdown: number;
  readonly #book: Lessonbook;
  readonly #inside: pg.Pool;
  readonly #tools: Tools;
  readonly #errands: Errands;
  readonly #weather: Weather;
  readonly #tally = new Tally();
  readonly #house: House;
  readonly #tutors: Tutor[] = [];
  readonly #atWork = new Set<Tutor>();
  readonly #kills: Kill[];
  #killed = 0;
  #looks = 0;
  #compared = 0;
  #over = false;

  constructor(
    size: Size,
    seed: number,
    sabotage: Sabotage | null,
    slowdown: number,
    book: Lessonbook,
    inside: pg.Pool,
    tools: Tools,
    errands: Errands,
  ) {
    this.#size = size;
    this.#sabotage = sabotage;
    this.#slowdown = slowdown;
    this.#book = book;
    this.#inside = inside;
    this.#tools = tools;
    this.#errands = errands;
    this.#kills = planKills(size, seed);
    const street = { urls: book.urls, origin: book.url, doors: new Doors() };
    const { mailbox, stripe, google } = book;
    if (!stripe || !google) throw new Error('A stand-in is missing');
    this.#house = {
      street,
      inside,
      tally: this.#tally,
      seed,
      mailbox,
      stripe: stripe.control,
      google: google.control,
    };
    this.#weather = new Weather(this.#house, seed, size.storms, writesOf(size));
  }

  async run(): Promise<Outcome> {
    const start = performance.now();
    const supervisor = await this.#hireSupervisor();
    await this.#sabotage?.before?.(this.#tools);
    const progress = setInterval(() => this.#say(start), PROGRESS_MS);
    try {
      await this.#weather.begin();
      const over = () => this.#over;
      await Promise.all([
        this.#teach(),
        this.#kill(supervisor),
        this.#weather.blow(() => this.#tally.acknowledged, over),
        this.#errands.tickUntil(over),
      ]);
      // Somebody's sabotage was noticed: there is nothing more to find out.
      if (this.#isNoticed()) return this.#outcome(start, supervisor, []);
      const notes = await closingChecks(
        this.#house,
        this.#tutors,
        this.#weather,
        this.#errands,
        supervisor.times,
      );
      for (const tutor of this.#tutors) await this.#look(tutor, true);
      return this.#outcome(start, supervisor, notes);
    } finally {
      clearInterval(progress);
      supervisor.rest();
    }
  }

  #outcome(start: number, supervisor: Supervisor, notes: string[]): Outcome {
    this.#tally.explain(supervisor.logs());
    return {
      tally: this.#tally,
      times: supervisor.times,
      looks: this.#looks,
      compared: this.#compared,
      seconds: (performance.now() - start) / 1000,
      notes,
    };
  }

  async #hireSupervisor(): Promise<Supervisor> {
    const { url } = this.#book;
    const { browser } = await signedIn({ browser: () => new Browser(url, url) }, newTutor());
    return new Supervisor(this.#book, this.#tally, browser.cookies, {
      sleepMs: this.#sabotage?.sleepMs ?? 0,
      slowdown: this.#slowdown,
    });
  }

  /** Tutors come one after the other, some at the same time: a book that has grown old makes room for a new one. */
  async #teach(): Promise<void> {
    const { tutors, atOnce, browsers, writes } = this.#size;
    let next = 0;
    const lane = async () => {
      while (next < tutors && !this.#over) {
        const tutor = new Tutor(this.#house, next++);
        if (!(await this.#opens(tutor, browsers))) continue;
        this.#tutors.push(tutor);
        this.#atWork.add(tutor);
        await tutor.work(
          writes,
          () => this.#over,
          () => this.#pace(),
        );
        await this.#look(tutor, true);
        this.#atWork.delete(tutor);
      }
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, lane));
    } finally {
      this.#over = true;
    }
  }

  async #opens(tutor: Tutor, browsers: number): Promise<boolean> {
    try {
      await tutor.open(browsers);
      return true;
    } catch (problem) {
      this.#tally.fault(ANSWERED, `${tutor.username} could not begin: ${String(problem)}`);
      return false;
    }
  }

  /** Keeps the writes from running away from the next kill while the last one is still looked into. */
  async #pace(): Promise<void> {
    const late = () =>
      this.#tally.acknowledged > (this.#kills[this.#killed]?.at ?? Infinity) + LATE;
    while (late() && !this.#over) await pause(5);
  }

  async #kill(supervisor: Supervisor): Promise<void> {
    for (const kill of this.#kills) {
      while (this.#tally.acknowledged < kill.at && !this.#over) {
        if (this.#isNoticed()) this.#over = true;
        await pause(2);
      }
      if (this.#over) return;
      await pause(kill.laterMs);
      await supervisor.kill(kill);
      await this.#sabotage?.afterKill?.(this.#tools);
      for (const tutor of this.#atWork) await this.#look(tutor, false);
      this.#killed += 1;
      if (this.#isNoticed()) this.#over = true;
    }
  }

  #isNoticed(): boolean {
    const { faults } = this.#tally;
    return faults.some(({ check }) => check === this.#sabotage?.noticedBy);
  }

  async #look(tutor: Tutor, all: boolean): Promise<void> {
    this.#looks += 1;
    await tutor.gate.whileStill(async () => {
      const check = (client: pg.PoolClient) => checkBook(client, this.#tally, tutor, all);
      this.#compared += await looking(this.#inside, check);
    });
  }

  #say(start: number): void {
    const { acknowledged, faults } = this.#tally;
    const share = ((100 * acknowledged) / writesOf(this.#size)).toFixed(0);
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    console.log(
      `${seconds.padStart(5)} s  ${share} %: ${acknowledged} acknowledged, ${this.#killed} of ${this.#kills.length} kills, ${faults.length} faults`,
    );
  }
}
