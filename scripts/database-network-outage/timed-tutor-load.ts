import { setTimeout as pause } from 'node:timers/promises';
import { dashboard } from '@lessonbook/contract/dashboard';
import { MAX_SUBJECTS, subjects } from '@lessonbook/contract/subjects';
import { Browser } from '@lessonbook/server/src/test/browser-client.ts';
import { createTutor } from '@lessonbook/server/src/test/create-tutor.ts';
import type { Lessonbook } from '@lessonbook/test-env/lessonbook';
import pg from 'pg';

export interface TimedResponse {
  /** Address of the API. */
  api: string;
  /** For example 'POST /api/subjects'. */
  operation: string;
  startedAt: number;
  endedAt: number;
  /** 0 if there was no response. */
  status: number;
  hasRetryAfter: boolean;
}

export const WRITE = `POST ${subjects.createSubject.path}`;
export const isSuccess = ({ status }: TimedResponse): boolean => status >= 200 && status < 300;
/** Whether a request may get this response while the database is unreachable. */
export const isExpectedResponse = (response: TimedResponse): boolean =>
  isSuccess(response) || (response.status === 503 && response.hasRetryAfter);

const SUBJECTS_PER_TUTOR = MAX_SUBJECTS - 100;
/** Longer than any cut, so that a request without a response is recognised as such. */
const RESPONSE_TIMEOUT_MS = 40_000;

/** Several tutors who write and read continuously, each on one API and without retries. */
export class Load {
  readonly responses: TimedResponse[] = [];
  /** Unique names of the subjects whose creation was acknowledged. */
  readonly acknowledged = new Set<string>();
  readonly #loops: Promise<void>[] = [];
  readonly #pauseMs: number;
  #stopped = false;

  /** `pauseMs` is the pause after each response. */
  constructor(pauseMs: number) {
    this.#pauseMs = pauseMs;
  }

  async start(app: Lessonbook, tutors: number): Promise<void> {
    for (let number = 0; number < tutors; number += 1) {
      const url = app.urls[number % app.urls.length] as string;
      const signUp = async () =>
        (await createTutor({ browser: () => new Browser(url, app.url) })).browser;
      let browser = await signUp();
      let saved = 0;
      const write = async (count: number) => {
        // Switches to a new account before the limit is reached; signing up is retried while the database is unreachable.
        if (saved >= SUBJECTS_PER_TUTOR) {
          const next = await signUp().catch(() => null);
          if (next) [browser, saved] = [next, 0];
        }
        if (await this.#write(url, browser, `Subject ${number}-${count}`)) saved += 1;
      };
      this.#loops.push(
        this.#repeat(write),
        this.#repeat(() => this.#send(url, browser, 'GET', dashboard.dashboard.path)),
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
      await pause(this.#pauseMs);
    }
  }

  async #write(api: string, browser: Browser, name: string): Promise<boolean> {
    const body = { name, defaultFee: 30, currency: 'GBP' };
    const { status } = await this.#send(api, browser, 'POST', subjects.createSubject.path, body);
    if (status === 201) this.acknowledged.add(name);
    return status === 201;
  }

  async #send(
    api: string,
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
      api,
      operation: `${method} ${path}`,
      startedAt,
      endedAt: performance.now(),
      status: response?.status ?? 0,
      hasRetryAfter: response?.headers.has('retry-after') ?? false,
    };
    this.responses.push(timedResponse);
    return timedResponse;
  }
}

/** Checks that every acknowledged subject is stored exactly once. */
export async function findLostWrites(maintenanceUrl: string, load: Load): Promise<string[]> {
  const client = new pg.Client(maintenanceUrl);
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(
    `select name, count(*)::int as count from subjects where name like 'Subject %' group by name`,
  );
  await client.end();
  const counts = new Map(rows.map(({ name, count }) => [name, count]));
  const unacknowledged = rows.filter(({ name }) => !load.acknowledged.has(name)).length;
  console.log(
    `${load.acknowledged.size} writes acknowledged; ${unacknowledged} stored without an acknowledgement`,
  );
  return [...load.acknowledged]
    .filter((name) => counts.get(name) !== 1)
    .map((name) => `${name} was acknowledged and is stored ${counts.get(name) ?? 0} times`);
}
