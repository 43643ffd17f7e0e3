import { setTimeout as pause } from 'node:timers/promises';
import type { Endpoint, EndpointInput, EndpointReply } from '@lessonbook/contract/endpoint';
import {
  type ApiResponse,
  Browser,
  toRequest,
} from '@lessonbook/server/src/test/browser-client.ts';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import { NOTHING_DUPLICATED } from '../checks/saved-data.ts';
import type { ChaosResults } from '../results.ts';

/** Round robin over the APIs; an API that does not respond is skipped for a while. */
export class LoadBalancer {
  readonly #downUntil = new Map<string, number>();
  #turn = 0;

  next<T extends { url: string }>(targets: readonly T[]): T {
    const now = performance.now();
    const up = targets.filter(({ url }) => (this.#downUntil.get(url) ?? 0) <= now);
    const candidates = up.length > 0 ? up : targets;
    this.#turn += 1;
    return candidates[this.#turn % candidates.length] as T;
  }

  markDown(url: string): void {
    this.#downUntil.set(url, performance.now() + COOLDOWN_MS);
  }
}

export type Outcome<Body> = ApiResponse<Body> & {
  /** An earlier attempt got no response, so the write may already have happened. */
  outcomeUnknown: boolean;
  /** The client gave up without a response, as if the user had closed their laptop. */
  abandoned: boolean;
};

type Input<E extends Endpoint> = unknown extends EndpointInput<E> ? undefined : EndpointInput<E>;

export interface Servers {
  urls: readonly string[];
  origin: string;
  loadBalancer: LoadBalancer;
}

interface WriteOptions {
  /** Gives up if the first attempt gets no response. */
  mayAbandon?: boolean;
}

/** How long a client retries before the request counts as failed. */
const GIVE_UP_MS = 180_000;
const ATTEMPT_TIMEOUT_MS = 60_000;
const COOLDOWN_MS = 300;
/** Number of 5xx responses, other than 503, after which the client stops retrying. */
const MAX_SERVER_ERRORS = 3;
const ABORT_SHARE = 0.04;
const DUPLICATE_SHARE = 0.03;

/**
 * A client that retries on one API after another, with the same idempotency key, until it gets a definite response.
 * It aborts some requests on purpose and sends others twice concurrently.
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

  /** Follows a redirect from a vendor's page. */
  follow(path: string): Promise<Outcome<unknown>> {
    return this.#sendUntilResponse('GET', path, undefined, {}, null, false);
  }

  read<E extends Endpoint>(endpoint: E, input: Input<E>): Promise<Outcome<EndpointReply<E>>> {
    const { path } = toRequest(endpoint, input);
    return this.#sendUntilResponse('GET', path, undefined, {}, null, false) as Promise<
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
    const draw = this.#random.next();
    const abortDelay = this.#random.between(0, 30);
    const abortAfter = draw < ABORT_SHARE ? abortDelay : null;
    const isSentTwice = endpoint.idempotent === true && draw > 1 - DUPLICATE_SHARE;
    const send = () =>
      this.#sendUntilResponse(
        endpoint.method,
        path,
        body,
        headers,
        abortAfter,
        options.mayAbandon ?? false,
      );
    const [first, copy] = isSentTwice ? await Promise.all([send(), send()]) : [await send()];
    if (copy) this.#checkSameOutcome(endpoint, first, copy);
    const outcome = copy && !isSuccessful(first) ? copy : first;
    if (isSuccessful(outcome)) {
      this.acknowledged += 1;
      this.#results.acknowledged += 1;
      this.#results.count('actions', `${endpoint.method} ${endpoint.path}`);
    } else if (!outcome.abandoned) {
      this.#results.refused += 1;
      this.#results.count('refusals', `${outcome.status} ${endpoint.method} ${endpoint.path}`);
    }
    return outcome as Outcome<EndpointReply<E>>;
  }

  /** Two concurrent requests with the same key must get the same response. */
  #checkSameOutcome(endpoint: Endpoint, a: Outcome<unknown>, b: Outcome<unknown>): void {
    if (a.abandoned || b.abandoned) return;
    const summarize = ({ status, body }: Outcome<unknown>) => {
      const { id, lessonId, sessionId } = Object(body) as Record<string, unknown>;
      return JSON.stringify([status, id, lessonId, sessionId]);
    };
    if (summarize(a) === summarize(b)) return;
    this.#results.reportViolation(
      NOTHING_DUPLICATED,
      `${endpoint.method} ${endpoint.path}, sent twice concurrently: ${summarize(a)} and ${summarize(b)}`,
    );
  }

  async #sendUntilResponse(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    abortAfter: number | null,
    mayAbandon: boolean,
  ): Promise<Outcome<unknown>> {
    const end = performance.now() + GIVE_UP_MS;
    let outcomeUnknown = false;
    let serverErrors = 0;
    for (let attempt = 0; ; attempt += 1) {
      const { url, browser } = this.#loadBalancer.next(this.#browsers);
      const ms = attempt === 0 && abortAfter !== null ? abortAfter : ATTEMPT_TIMEOUT_MS;
      try {
        const response = await browser.send(method, path, body, headers, AbortSignal.timeout(ms));
        if (response.status < 500 && response.status !== 429) {
          return { ...response, outcomeUnknown, abandoned: false };
        }
        if (response.status === 503) this.#results.unavailable += 1;
        else if (response.status !== 429) {
          this.#results.reportServerError(
            `${method} ${path} returned ${response.status}`,
            response.headers,
          );
          serverErrors += 1;
          if (serverErrors === MAX_SERVER_ERRORS)
            return { ...response, outcomeUnknown: true, abandoned: true };
        }
      } catch (error) {
        this.#results.unanswered += 1;
        if ((error as Error).name !== 'TimeoutError') this.#loadBalancer.markDown(url);
      }
      // Even after an error the write may have happened: the database can die right after the commit.
      outcomeUnknown = true;
      if (mayAbandon) return { ...NO_RESPONSE, outcomeUnknown, abandoned: true };
      if (performance.now() > end) {
        throw new Error(`${method} ${path} got no response for ${GIVE_UP_MS / 1000} s`);
      }
      await pause(Math.min(400, 30 + 40 * attempt));
    }
  }
}

const isSuccessful = ({ status }: Outcome<unknown>): boolean => status >= 200 && status < 300;

const NO_RESPONSE: ApiResponse<never> = {
  status: 0,
  body: undefined as never,
  error: { code: 'unavailable', message: '' },
  headers: new Headers(),
};
