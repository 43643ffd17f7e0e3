import { setTimeout as pause } from 'node:timers/promises';
import { dashboard } from '@lessonbook/contract/dashboard';
import { subjects } from '@lessonbook/contract/subjects';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutor } from '@lessonbook/server/src/test/tutor.ts';
import type { Lessonbook } from '@lessonbook/test-env/lessonbook';

export interface TimedResponse {
  what: string;
  startedAt: number;
  endedAt: number;
  /** 0 if there was no response. */
  status: number;
  hasRetryAfter: boolean;
}

const PAUSE_MS = 40;
/** Longer than any cut, so that a request without a response is recognised as such. */
const RESPONSE_TIMEOUT_MS = 40_000;

/** Several tutors who write and read all the time, each on one API and without retries. */
export class Load {
  readonly responses: TimedResponse[] = [];
  /** Unique names of the subjects whose creation was acknowledged. */
  readonly acknowledged = new Set<string>();
  readonly #loops: Promise<void>[] = [];
  #stopped = false;

  async start(app: Lessonbook, tutors: number): Promise<void> {
    for (let number = 0; number < tutors; number += 1) {
      const url = app.urls[number % app.urls.length] as string;
      const client = () => new Browser(url, app.url);
      const { browser } = await createTutor({ browser: client });
      this.#loops.push(
        this.#repeat((count) => this.#write(browser, `Subject ${number}-${count}`)),
        this.#repeat(() => this.#send(browser, 'GET', dashboard.dashboard.path)),
      );
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #repeat(request: (count: number) => Promise<unknown>): Promise<void> {
    for (let count = 0; !this.#stopped; count += 1) {
      await request(count);
      await pause(PAUSE_MS);
    }
  }

  async #write(browser: Browser, name: string): Promise<void> {
    const body = { name, defaultFee: 30, currency: 'GBP' };
    const { status } = await this.#send(browser, 'POST', subjects.createSubject.path, body);
    if (status === 201) this.acknowledged.add(name);
  }

  async #send(
    browser: Browser,
    method: string,
    path: string,
    body?: unknown,
  ): Promise<TimedResponse> {
    const startedAt = performance.now();
    const response = await browser
      .send(method, path, body, {}, AbortSignal.timeout(RESPONSE_TIMEOUT_MS))
      .catch(() => null);
    const timedResponse: TimedResponse = {
      what: `${method} ${path}`,
      startedAt,
      endedAt: performance.now(),
      status: response?.status ?? 0,
      hasRetryAfter: response?.headers.has('retry-after') ?? false,
    };
    this.responses.push(timedResponse);
    return timedResponse;
  }
}
