import type { Fault } from './assertions.ts';
import type { Attack } from './generate-attacks.ts';
import type { Operation } from './operations.ts';
import type { RawResponse } from './raw-client.ts';

/** Operations whose service no fuzz request can reach, with the reason for each. */
const UNREACHABLE_OPERATIONS: Record<string, string> = {
  'POST /api/login':
    "a wrong password gets a 401, and the attacker's correct one gets a 401 that asks for a second factor",
  'POST /api/reauthenticate/code': 'a wrong code gets a 400',
  'POST /api/authenticator/confirm': 'a wrong code gets a 400',
  'POST /api/portal/logins': 'a wrong code gets a 400',
  'PUT /api/portal/tutors/{publicId}/email': 'a wrong code gets a 400',
  'POST /api/reauthenticate/passkey': 'an unsigned assertion gets a 400',
  'POST /api/login/passkey': 'an unsigned assertion gets a 400',
  'POST /api/passkeys': 'an unsigned assertion gets a 400',
  'POST /api/stripe/webhooks/accounts': 'an unsigned webhook gets a 400',
  'POST /api/stripe/webhooks/payments': 'an unsigned webhook gets a 400',
};

/** Statuses of requests rejected before they reach the service: malformed, not logged in, too large, not JSON. */
const REJECTED_BEFORE_SERVICE = new Set([400, 401, 413, 415]);

interface OperationCounts {
  done: number;
  refused: number;
  beforeService: number;
  failed: number;
  /** The latest error response to a valid request. */
  lastError: string;
}

/** Counts the responses for each operation. */
export class ResponseStats {
  batches = 0;
  requests = 0;
  slowest = { ms: 0, operation: '' };
  /** Responses that were slow under load, and the longest time when retried in isolation. */
  retried = { count: 0, slowestMs: 0 };
  readonly #counts = new Map<string, OperationCounts>();

  count(attack: Attack, { status, ms, body }: RawResponse): void {
    this.requests += 1;
    if (ms > this.slowest.ms)
      this.slowest = { ms, operation: `${attack.request.method} ${attack.operation.path}` };
    if (attack.request.method !== attack.operation.method) return;
    const count = this.#countsFor(attack.operation.name);
    if (status < 400) count.done += 1;
    else if (status >= 500) count.failed += 1;
    else if (REJECTED_BEFORE_SERVICE.has(status)) count.beforeService += 1;
    else count.refused += 1;
    if (attack.isValid && status >= 400) count.lastError = body.toString('utf8').slice(0, 160);
  }

  countRetry(ms: number): void {
    this.requests += 1;
    this.retried.count += 1;
    this.retried.slowestMs = Math.max(this.retried.slowestMs, ms);
  }

  #countsFor(name: string): OperationCounts {
    const count = this.#counts.get(name) ?? {
      done: 0,
      refused: 0,
      beforeService: 0,
      failed: 0,
      lastError: '',
    };
    this.#counts.set(name, count);
    return count;
  }

  /** Operations whose service was never reached, without a listed reason. */
  unreachedOperations(operations: readonly Operation[]): Fault[] {
    return operations
      .filter(({ name }) => !(name in UNREACHABLE_OPERATIONS))
      .filter(({ name }) => {
        const { done, refused } = this.#countsFor(name);
        return done + refused === 0;
      })
      .map(({ name }) => ({
        kind: 'not reached' as const,
        operation: name,
        detail:
          'no request reached the service: extend scripts/security-fuzz/build-valid-request.ts',
      }));
  }

  /** Returns one line for each operation. */
  tableRows(): string[] {
    const rows = [...this.#counts].toSorted(([a], [b]) => a.localeCompare(b));
    return rows.map(([name, { done, refused, beforeService, failed, lastError }]) => {
      const all = done + refused + beforeService + failed;
      const share = (part: number) => `${String(Math.round((100 * part) / all)).padStart(3)}%`;
      return `${share(done)} done ${share(refused)} refused ${share(beforeService)} rejected  ${String(all).padStart(5)}  ${name}${done === 0 ? `  ${lastError}` : ''}`;
    });
  }

  summary(): string {
    const counts = [...this.#counts.values()];
    const sum = (part: Exclude<keyof OperationCounts, 'lastError'>) =>
      counts.reduce((total, count) => total + count[part], 0);
    const done = counts.filter((count) => count.done > 0).length;
    return `${this.requests} requests; of ${counts.length} operations ${done} succeeded at least once; responses: ${sum('done')} done, ${sum('refused')} refused by a service, ${sum('beforeService')} rejected before it, ${sum('failed')} failed; slowest ${Math.round(this.slowest.ms)} ms (${this.slowest.operation}), ${this.retried.count} retried in isolation, the slowest of them ${Math.round(this.retried.slowestMs)} ms`;
  }
}
