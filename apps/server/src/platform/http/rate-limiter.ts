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
    const counted = await this.#count(this.#db.global, limit, subject).catch(
      throwLimiterUnavailable,
    );
    if (!counted) throw tooManyRequestsError(Math.ceil(this.#secondsPerAttempt(limit)));
  }

  /**
   * Counts one attempt in the caller's transaction, so that it counts only if that commits. Returns null, or the seconds
   * to wait if there were too many.
   */
  async tryConsume(tx: Tx, limit: RateLimit, subject: string): Promise<number | null> {
    if (await this.#count(tx, limit, subject)) return null;
    const row = await tx
      .selectFrom('rate_limits')
      .where('key', '=', `${limit.name}:${subject}`)
      .select('empty_at as emptyAt')
      .executeTakeFirst();
    const now = this.#clock.now();
    const secondsUntilEmpty = ((row?.emptyAt ?? now).getTime() - now.getTime()) / 1000;
    const excess = secondsUntilEmpty + this.#secondsPerAttempt(limit) - limit.perSeconds;
    return Math.max(1, Math.ceil(excess));
  }

  #secondsPerAttempt(limit: RateLimit): number {
    return limit.perSeconds / (limit.burst * this.#factor);
  }

  /** Returns false, and counts nothing, if there were too many attempts. */
  async #count(tx: Tx, limit: RateLimit, subject: string): Promise<boolean> {
    const now = this.#clock.now();
    const cost = `${this.#secondsPerAttempt(limit)} seconds`;
    const capacity = `${limit.perSeconds} seconds`;
    const key = `${limit.name}:${subject}`;
    const updated = await sql<{ empty_at: Date }>`
      insert into rate_limits (key, empty_at)
      values (${key}, ${now}::timestamptz + ${cost}::interval)
      on conflict (key) do update
        set empty_at = greatest(rate_limits.empty_at, ${now}::timestamptz) + ${cost}::interval
        where greatest(rate_limits.empty_at, ${now}::timestamptz) + ${cost}::interval
              <= ${now}::timestamptz + ${capacity}::interval
      returning empty_at`.execute(tx);
    return updated.rows.length > 0;
  }

  /** Removes one attempt that turned out to be legitimate; other attempts by the subject still count. */
  async release(limit: RateLimit, subject: string): Promise<void> {
    const cost = `${this.#secondsPerAttempt(limit)} seconds`;
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
