import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { accounts } from '@lessonbook/contract/accounts';
import { businessSettings } from '@lessonbook/contract/business-settings';
import { security } from '@lessonbook/contract/security';
import { students } from '@lessonbook/contract/students';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutorWhoCanEmailFamilies } from '@lessonbook/server/src/test/create-tutor.ts';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { TestInstallation } from './installations.ts';

const RETRY_MS = 20;
/** A request that both installations refuse for this long is a violation. */
const MAX_REFUSED_MS = 120_000;
/** Well within the time after which changing the business details requires the password again. */
const REAUTHENTICATE_MS = 300_000;

/** A tutor's browser, which tries the other installation when one refuses a request. */
export class MovingTutor {
  readonly username: string;
  readonly email: string;
  readonly #browsers: [Browser, Browser];
  #current = 0;
  /** Names of students whose creation was acknowledged, in order. */
  readonly acknowledged: string[] = [];
  /** The number of acknowledged changes that each cause one email. */
  emailsCaused = 0;
  /** How long each initially refused write had to wait until it was accepted. */
  readonly pauses: number[] = [];
  reads = 0;
  readonly violations: string[] = [];
  readonly #password: string;
  #reauthenticatedAt = performance.now();

  private constructor(
    input: { username: string; email: string; password: string },
    browsers: [Browser, Browser],
  ) {
    this.username = input.username;
    this.email = input.email;
    this.#password = input.password;
    this.#browsers = browsers;
  }

  static async create(source: TestInstallation, target: TestInstallation): Promise<MovingTutor> {
    const first = new Browser(source.app.url, source.app.url);
    const { input } = await createTutorWhoCanEmailFamilies({
      browser: () => first,
      mailbox: source.app.mailbox,
      admin: source.admin,
    });
    const second = new Browser(target.app.url, target.app.url);
    second.cookies = first.cookies;
    return new MovingTutor(input, [first, second]);
  }

  /** Repeats the request until one installation accepts it. A write is repeated with the same idempotency key. */
  async #send(method: string, path: string, body?: unknown, headers = {}): Promise<unknown> {
    const startedAt = performance.now();
    let refusals = 0;
    for (;;) {
      const browser = this.#browsers[this.#current] as Browser;
      const response = await browser.send(method, path, body, headers).catch(() => null);
      if (response && response.status < 300) {
        if (refusals > 0 && method !== 'GET') this.pauses.push(performance.now() - startedAt);
        return response.body;
      }
      refusals += 1;
      // 503: the tutor is moving or has moved. 401: the tutor is not there yet, or no longer there.
      if (response && response.status !== 503 && response.status !== 401) {
        this.violations.push(`${this.username}: ${method} ${path} returned ${response.status}`);
        return null;
      }
      if (performance.now() - startedAt > MAX_REFUSED_MS) {
        this.violations.push(`${this.username}: ${method} ${path} is refused everywhere`);
        return null;
      }
      this.#current = 1 - this.#current;
      if (refusals % 2 === 0) await pause(RETRY_MS);
    }
  }

  async addStudent(): Promise<void> {
    const name = `Student ${this.acknowledged.length + 1}`;
    const key = { 'idempotency-key': randomUUID() };
    if (await this.#send('POST', students.createStudent.path, { name }, key))
      this.acknowledged.push(name);
  }

  /** Makes a change that causes an email. The job for the email is often waiting or running when the tutor moves. */
  async changeBusinessDetails(): Promise<void> {
    if (performance.now() - this.#reauthenticatedAt > REAUTHENTICATE_MS) {
      const body = { password: this.#password };
      await this.#send('POST', security.reauthenticateWithPassword.path, body);
      this.#reauthenticatedAt = performance.now();
    }
    const { path } = businessSettings.saveBusinessSettings;
    const current = (await this.#send('GET', path)) as Record<string, unknown> | null;
    const tradingName = `Lessons ${this.emailsCaused + 1}`;
    if (current && (await this.#send('PUT', path, { ...current, tradingName })))
      this.emailsCaused += 1;
  }

  async run(random: Random, thinkMs: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.violations.length === 0) {
      await this.#send('GET', accounts.me.path);
      this.reads += 1;
      if (random.chance(0.2)) await this.changeBusinessDetails();
      else await this.addStudent();
      await pause(thinkMs * (0.5 + random.next()), undefined, { signal }).catch(() => undefined);
    }
  }
}
