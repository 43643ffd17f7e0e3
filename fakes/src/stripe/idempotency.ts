import type { AdjustableClock } from '../shared/clock.ts';
import { ApiError } from './error-response.ts';

export interface StoredResponse {
  status: number;
  /** As it was sent: the object may have changed since. */
  text: string;
  requestId: string;
}

interface Entry {
  fingerprint: string;
  keptUntil: number;
  answer: StoredResponse | null;
}

const DAY_MILLIS = 86_400_000;

/** Remembers what was answered under a key, within one account. */
export class IdempotencyKeys {
  private readonly entries = new Map<string, Entry>();
  private readonly clock: AdjustableClock;

  constructor(clock: AdjustableClock) {
    this.clock = clock;
  }

  /** The kept answer of a copy, or null when the work is to be done, with the key taken until `keep` or `free`. */
  begin(key: string, fingerprint: string, days: number): StoredResponse | null {
    const now = this.clock.millis();
    const entry = this.entries.get(key);
    if (!entry || entry.keptUntil <= now) {
      const keptUntil = now + days * DAY_MILLIS;
      this.entries.set(key, { fingerprint, keptUntil, answer: null });
      return null;
    }
    const shown = key.slice(key.indexOf('|') + 1);
    if (entry.fingerprint !== fingerprint) {
      throw new ApiError({
        status: 400,
        type: 'idempotency_error',
        message:
          'Keys for idempotent requests can only be used with the same parameters they were first ' +
          `used with. Try using a key other than '${shown}' if you meant to execute a different request.`,
      });
    }
    if (!entry.answer) {
      throw new ApiError({
        status: 409,
        type: 'idempotency_error',
        code: 'idempotency_key_in_use',
        message:
          `There is currently another in-progress request using this Idempotency Key '${shown}' ` +
          '(that probably means you submitted twice, and the other request is still going through).',
      });
    }
    return entry.answer;
  }

  store(key: string, answer: StoredResponse): void {
    const entry = this.entries.get(key);
    if (entry) entry.answer = answer;
  }

  release(key: string): void {
    this.entries.delete(key);
  }
}

/** The same for the same parameters, in whatever order they came. */
export function computeFingerprint(method: string, path: string, params: unknown): string {
  return `${method} ${path} ${JSON.stringify(sorted(params))}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
