import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { databaseUnavailableError } from '../db/availability.ts';
import type { Database, Tx } from '../db/database.ts';

/** Allows `burst` attempts at once, then one every `perSeconds / burst` seconds. */
export interface RateLimit {
  readonly name: string;
  readonly burst: number;
  readonly perSeconds: number;
}

/**
 * A leaky bucket per key, stored in PostgreSQL so that all API processes share it. Each row holds the time at which the
 * bucket will be empty. A single statement checks and counts, so concurrent requests cannot exceed the limit. If the
 * database is unavailable, requests are rejected.
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

  /** Counts one attempt, or throws with the time to wait. */
  async consume(limit: RateLimit, subject: string): Promise<void> {
    const now = this.#clock.now();
    const secondsPerAttempt = limit.perSeconds / (limit.burst * this.#factor);
    const cost = `${secondsPerAttempt} seconds`;
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
      .catch(throwLimiterUnavailable);
    if (updated.rows.length > 0) return;
    throw tooManyRequestsError(Math.ceil(secondsPerAttempt));
  }

  /** Removes one attempt that turned out to be legitimate; other attempts by the subject still count. */
  async release(limit: RateLimit, subject: string): Promise<void> {
    const cost = `${limit.perSeconds / (limit.burst * this.#factor)} seconds`;
    await sql`
      update rate_limits set empty_at = empty_at - ${cost}::interval
      where key = ${`${limit.name}:${subject}`}`.execute(this.#db.global);
  }

  async deleteForTutor(tx: Tx, tutorId: string): Promise<void> {
    await tx.deleteFrom('rate_limits').where('key', 'like', `%:${tutorId}%`).execute();
  }

  async deleteExpired(): Promise<void> {
    await this.#db.global
      .deleteFrom('rate_limits')
      .where('empty_at', '<', this.#clock.now())
      .execute();
  }
}

function throwLimiterUnavailable(cause: unknown): never {
  throw databaseUnavailableError(cause);
}

function tooManyRequestsError(seconds: number): AppError {
  return new AppError(
    'too_many_requests',
    'Too many attempts. Please wait a little and try again.',
    {
      retryAfterSeconds: seconds,
    },
  );
}
