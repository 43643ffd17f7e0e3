import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint, EndpointInput, EndpointReply } from '@lessonbook/contract/endpoint';
import { type ApiResponse, Browser, toRequest } from '@lessonbook/server/src/test/browser.ts';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { NOTHING_DUPLICATED } from '../checks/saved-data.ts';
import type { ChaosResults } from '../results.ts';

/** The way to the APIs, as whatever stands in front of them in production: who does not answer is left alone for a moment. */
export class LoadBalancer {
  readonly #restUntil = new Map<string, number>();
  #turn = 0;

  next<T extends { url: string }>(among: readonly T[]): T {
    const now = performance.now();
    const open = among.filter(({ url }) => (this.#restUntil.get(url) ?? 0) <= now);
    const choice = open.length > 0 ? open : among;
    this.#turn += 1;
    return choice[this.#turn % choice.length] as T;
  }

  markDown(url: string): void {
    this.#restUntil.set(url, performance.now() + COOL_DOWN_MS);
  }
}

export type Outcome<Body> = ApiResponse<Body> & {
  /** An earlier attempt got no answer, so it may have been done already. */
  unsure: boolean;
  /** Left without an answer, as by somebody who closed the laptop. */
  abandoned: boolean;
};

type Input<E extends Endpoint> = unknown extends EndpointInput<E> ? undefined : EndpointInput<E>;

export interface Servers {
  urls: readonly string[];
  origin: string;
  loadBalancer: LoadBalancer;
}

interface WriteOptions {
  /** Somebody may give up on it for good after a first attempt without an answer. */
  mayAbandon?: boolean;
}

/** How long a browser goes on trying before we call it a fault of the product. */
const GIVE_UP_MS = 180_000;
const ATTEMPT_MS = 60_000;
const COOL_DOWN_MS = 300;
/** It will not get better, and it was counted. */
const MAX_FAULTS = 3;
const ABORT_SHARE = 0.04;
const DUPLICATE_SHARE = 0.03;

/**
 * A browser that does not take silence for an answer: it asks one API after the other, under the same key, until it is
 * told yes or no. Now and then it hangs up on purpose, or sends the same twice at once.
 */
export class RetryingClient {
  readonly #browsers: { url: string; browser: Browser }[];
  readonly #loadBalancer: LoadBalancer;
  readonly #name: string;
  readonly #random: Random;
  readonly #results: ChaosResults;
  #writes = 0;
  acknowledged = 0;

  constructor(servers: Servers, name: string, random: Random, results: ChaosResults) {
    const { urls, origin, loadBalancer } = servers;
    this.#browsers = urls.map((url) => ({ url, browser: new Browser(url, origin) }));
    const cookies = new Map<string, string>();
    for (const { browser } of this.#browsers) browser.cookies = cookies;
    this.#loadBalancer = loadBalancer;
    this.#name = name;
    this.#random = random;
    this.#results = results;
  }

  /** Where a browser is sent by somebody else's page. */
  follow(path: string): Promise<Outcome<unknown>> {
    return this.#sendUntilAnswered('GET', path, undefined, {}, null, false);
  }

  read<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Outcome<EndpointReply<E>>> {
    const { path } = toRequest(endpoint, input);
    return this.#sendUntilAnswered('GET', path, undefined, {}, null, false) as Promise<
      Outcome<EndpointReply<E>>
    >;
  }

  async write<E extends Endpoint>(
    endpoint: E,
    input: Input<E>,
    options: WriteOptions = {},
  ): Promise<Outcome<EndpointReply<E>>> {
    const { path, body } = toRequest(endpoint, input);
    this.#writes += 1;
    const headers = { 'idempotency-key': `chaos-${this.#name}-${this.#writes}` };
    const mood = this.#random.next();
    const hangUp = this.#random.between(0, 30);
    const impatient = mood < ABORT_SHARE ? hangUp : null;
    const twice = endpoint.idempotent === true && mood > 1 - DUPLICATE_SHARE;
    const send = () =>
      this.#sendUntilAnswered(
        endpoint.method,
        path,
        body,
        headers,
        impatient,
        options.mayAbandon ?? false,
      );
    const [outcome, copy] = twice ? await Promise.all([send(), send()]) : [await send()];
    if (copy) this.#assertSameOutcome(endpoint, outcome, copy);
    const done = copy && !isDone(outcome) ? copy : outcome;
    if (isDone(done)) {
      this.acknowledged += 1;
      this.#results.acknowledged += 1;
      this.#results.count('acts', `${endpoint.method} ${endpoint.path}`);
    } else if (!done.abandoned) {
      this.#results.refused += 1;
      this.#results.count('refusals', `${done.status} ${endpoint.method} ${endpoint.path}`);
    }
    return done as Outcome<EndpointReply<E>>;
  }

  /** The same key at the same moment: both are told the same. */
  #assertSameOutcome(endpoint: Endpoint, one: Outcome<unknown>, other: Outcome<unknown>): void {
    if (one.abandoned || other.abandoned) return;
    const ids = ({ status, body }: Outcome<unknown>) => {
      const { id, lessonId, sessionId } = Object(body) as Record<string, unknown>;
      return JSON.stringify([status, id, lessonId, sessionId]);
    };
    if (ids(one) === ids(other)) return;
    this.#results.fault(
      NOTHING_DUPLICATED,
      `${endpoint.method} ${endpoint.path}, sent twice at once: ${ids(one)} and ${ids(other)}`,
    );
  }

  async #sendUntilAnswered(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    hangUpAfter: number | null,
    mayAbandon: boolean,
  ): Promise<Outcome<unknown>> {
    const end = performance.now() + GIVE_UP_MS;
    let unsure = false;
    let faults = 0;
    for (let attempt = 0; ; attempt += 1) {
      const { url, browser } = this.#loadBalancer.next(this.#browsers);
      const ms = attempt === 0 && hangUpAfter !== null ? hangUpAfter : ATTEMPT_MS;
      try {
        const answer = await browser.send(method, path, body, headers, AbortSignal.timeout(ms));
        if (answer.status < 500 && answer.status !== 429) {
          return { ...answer, unsure, abandoned: false };
        }
        if (answer.status === 503) this.#results.unavailable += 1;
        else if (answer.status !== 429) {
          this.#results.serverFault(`${method} ${path} answered ${answer.status}`, answer.headers);
          faults += 1;
          if (faults === MAX_FAULTS) return { ...answer, unsure: true, abandoned: true };
        }
      } catch (problem) {
        this.#results.unanswered += 1;
        if ((problem as Error).name !== 'TimeoutError') this.#loadBalancer.markDown(url);
      }
      // Whatever was said, it may have been done: the database can go away right after the commit.
      unsure = true;
      if (mayAbandon) return { ...NO_ANSWER, unsure, abandoned: true };
      if (performance.now() > end) {
        throw new Error(`${method} ${path} got no answer for ${GIVE_UP_MS / 1000} s`);
      }
      await pause(Math.min(400, 30 + 40 * attempt));
    }
  }
}

const isDone = ({ status }: Outcome<unknown>): boolean => status >= 200 && status < 300;

const NO_ANSWER: ApiResponse<never> = {
  status: 0,
  body: undefined as never,
  error: { code: 'unavailable', message: '' },
  headers: new Headers(),
};
