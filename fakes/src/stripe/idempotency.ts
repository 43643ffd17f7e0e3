import type { AdjustableClock } from '../shared/clock.ts';
import { ApiError } from './error-response.ts';

export interface StoredResponse {
  status: number;
  /** The body as sent; the object may have changed since. */
  text: string;
  requestId: string;
}

interface Entry {
  fingerprint: string;
  expiresAt: number;
  response: StoredResponse | null;
}

const DAY_MILLIS = 86_400_000;

/** Stores responses by idempotency key. */
export class IdempotencyKeys {
  private readonly entries = new Map<string, Entry>();
  private readonly clock: AdjustableClock;

  constructor(clock: AdjustableClock) {
    this.clock = clock;
  }

  /** Returns the stored response. If there is none, locks the key until `store` or `release` and returns null. */
  begin(key: string, fingerprint: string, days: number): StoredResponse | null {
    const now = this.clock.millis();
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt <= now) {
      const expiresAt = now + days * DAY_MILLIS;
      this.entries.set(key, { fingerprint, expiresAt, response: null });
      return null;
    }
    const clientKey = key.slice(key.indexOf('|') + 1);
    if (entry.fingerprint !== fingerprint) {
      throw new ApiError({
        status: 400,
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first ' +
          `used with. Try using a key other than '${clientKey}' if you meant to execute a different request.`,
      });
    }
    if (!entry.response) {
      throw new ApiError({
        status: 409,
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message:
          `There is currently another in-progress request using this Idempotency Key '${clientKey}' ` +
          '(that probably means you submitted twice, and the other request is still going through).',
      });
    }
    return entry.response;
  }

  store(key: string, response: StoredResponse): void {
    const entry = this.entries.get(key);
    if (entry) entry.response = response;
  }

  release(key: string): void {
    this.entries.delete(key);
  }
}

/** Does not depend on the order of the parameters. */
export function computeFingerprint(method: string, path: string, params: unknown): string {
  return `${method} ${path} ${JSON.stringify(sortKeys(params))}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sortKeys(each)]),
  );
}
