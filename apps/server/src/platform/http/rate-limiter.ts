import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';

/** `burst` tries at once, after that one more for each `perSeconds / burst` that passes. */
export interface RateLimit {
  readonly name: string;
  readonly burst: number;
  readonly perSeconds: number;
}

/**
 * One leaky bucket for each key, kept in PostgreSQL so that every API process sees the same one. A row holds the
 * instant at which the bucket will be empty; one statement decides and counts, so a burst cannot slip between.
 * If the database is away the request is refused: a limiter that cannot count lets nobody through.
 */
export class RateLimiter {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #factor: number;

  constructor(db: Database, clock: Clock, factor: number) {
    this.#db = db;
    this.#clock = clock;
    this.#factor = factor;
  }

  /** Takes one try, or refuses with the time to wait. */
  async consume(limit: RateLimit, subject: string): Promise<void> {
    const now = this.#clock.now();
    const secondsPerTry = limit.perSeconds / (limit.burst * this.#factor);
    const cost = `${secondsPerTry} seconds`;
    const capacity = `${limit.perSeconds} seconds`;
    const key = `${limit.name}:${subject}`;
    const updated = await sql<{ empty_at: Date }>`
      insert into rate_limits (key, empty_at)
      values (${key}, ${now}::timestamptz + ${cost}::interval)
      on conflict (key) do update
        set empty_at = greatest(rate_limits.empty_at, ${now}::timestamptz) + ${cost}::interval
        where greatest(rate_limits.empty_at, ${now}::timestamptz) + ${cost}::interval
              <= ${now}::timestamptz + ${capacity}::interval
      returning empty_at`
      .execute(this.#db.global)
      .catch(limiterUnavailable);
    if (updated.rows.length > 0) return;
    throw tooManyRequests(Math.ceil(secondsPerTry));
  }

  /** Gives back the one try that turned out to be honest; those of others at the same subject still count. */
  async release(limit: RateLimit, subject: string): Promise<void> {
    const cost = `${limit.perSeconds / (limit.burst * this.#factor)} seconds`;
    await sql`
      update rate_limits set empty_at = empty_at - ${cost}::interval
      where key = ${`${limit.name}:${subject}`}`.execute(this.#db.global);
  }

  /** Of a tutor who is no more. */
  async deleteForTutor(tx: Tx, tutorId: string): Promise<void> {
    await tx.deleteFrom('rate_limits').where('key', 'like', `%:${tutorId}%`).execute();
  }

  /** Buckets that are empty say nothing any more. */
  async deleteExpired(): Promise<void> {
    await this.#db.global
      .deleteFrom('rate_limits')
      .where('empty_at', '<', this.#clock.now())
      .execute();
  }
}

function limiterUnavailable(cause: unknown): never {
  throw new AppError(
    'unavailable',
    'Lessonbook is catching its breath. Please try again in a moment.',
    { retryAfterSeconds: 2, cause },
  );
}

function tooManyRequests(seconds: number): AppError {
  return new AppError(
    'too_many_requests',
    'Too many attempts. Please wait a little and try again.',
    {
      retryAfterSeconds: seconds,
    },
  );
}

/** One household is one network: an IPv6 visitor owns a whole /64 and could use a new address for each try. */
export function clientNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().replace(/%.*$/, '').split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail?.split(':').filter(Boolean) ?? [];
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** A provider's customers are told apart by the last part of the address; a reader needs no more than the street. */
export const maskIp = (network: string): string =>
  network.replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.x');
