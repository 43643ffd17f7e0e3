import { sql } from 'kysely';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import type { Database, Tx } from '../db/database.ts';
import { databaseUnavailableError } from '../db/database-unavailable-errors.ts';

/** Allows `burst` attempts at once, then one every `perSeconds / burst` seconds. */
export interface RateLimit {
  readonly name: string;
  readonly burst: number;
  readonly perSeconds: number;
}

/** Why the attempts were not counted. */
interface Shortage {
  /** How many attempts would have been counted. */
  available: number;
  /** Seconds until all of them would be allowed; null if there are more than even an empty bucket allows. */
  waitSeconds: number | null;
}

/**
 * A leaky bucket per key, stored in PostgreSQL so that all API processes share it. Each row holds the time at which the
 * bucket will be empty. A single statement checks and counts, so concurrent requests cannot exceed the limit. If the
 * database is unavailable, requests are rejected.
 */
export class RateLimiter {
  readonly #db: Database;
  readonly #clock: Clock;
  /** Multiplies the burst of every limit. */
  readonly #burstFactor: number;

  constructor(db: Database, clock: Clock, burstFactor: number) {
    this.#db = db;
    this.#clock = clock;
    this.#burstFactor = burstFactor;
  }

  /** Counts one attempt, or throws with the time to wait. */
  async consume(limit: RateLimit, subject: string): Promise<void> {
    const counted = await this.#consumeAll(this.#db.global, limit, [[subject, 1]]).catch(
      throwLimiterUnavailable,
    );
    if (counted.size === 0) throw tooManyRequestsError(Math.ceil(this.#secondsPerAttempt(limit)));
  }

  /**
   * Counts all of these attempts or none, in the caller's transaction, so that they count only if it commits. Returns null if
   * they were counted.
   */
  async tryConsume(tx: Tx, limit: RateLimit, subject: string, count = 1): Promise<Shortage | null> {
    if ((await this.#consumeAll(tx, limit, [[subject, count]])).size > 0) return null;
    const used = (await this.#secondsUntilEmpty(tx, limit, [subject])).get(subject) ?? 0;
    const available = this.#countAvailable(limit, used);
    const isPossible = this.#countAvailable(limit, 0) >= count;
    const excess = used + this.#secondsPerAttempt(limit) * count - limit.perSeconds;
    return { available, waitSeconds: isPossible ? Math.max(1, Math.ceil(excess)) : null };
  }

  /** Like tryConsume, for many subjects in one statement. Returns the subjects whose attempts were counted. */
  async tryConsumeEach(
    tx: Tx,
    limit: RateLimit,
    counts: ReadonlyMap<string, number>,
  ): Promise<Set<string>> {
    return this.#consumeAll(tx, limit, [...counts]);
  }

  /** How many attempts each subject has left now. */
  async countAvailable(
    tx: Tx,
    limit: RateLimit,
    subjects: readonly string[],
  ): Promise<Map<string, number>> {
    const used = await this.#secondsUntilEmpty(tx, limit, subjects);
    return new Map(
      subjects.map((subject) => [subject, this.#countAvailable(limit, used.get(subject) ?? 0)]),
    );
  }

  #countAvailable(limit: RateLimit, usedSeconds: number): number {
    const attempts = (limit.perSeconds - usedSeconds) / this.#secondsPerAttempt(limit);
    // Without rounding, the quotient can be slightly below a whole number.
    return Math.max(0, Math.floor(Math.round(attempts * 1000) / 1000));
  }

  /** Omits subjects whose bucket has never been used. */
  async #secondsUntilEmpty(
    tx: Tx,
    limit: RateLimit,
    subjects: readonly string[],
  ): Promise<Map<string, number>> {
    const prefix = `${limit.name}:`;
    const keys = subjects.map((subject) => prefix + subject);
    const rows = await tx
      .selectFrom('rate_limits')
      .where('key', '=', sql<string>`any(${keys}::text[])`)
      .select(['key', 'empty_at as emptyAt'])
      .execute();
    const now = this.#clock.now().getTime();
    return new Map(
      rows.map(({ key, emptyAt }) => [
        key.slice(prefix.length),
        Math.max(0, (emptyAt.getTime() - now) / 1000),
      ]),
    );
  }

  #secondsPerAttempt(limit: RateLimit): number {
    return limit.perSeconds / (limit.burst * this.#burstFactor);
  }

  /** Skips subjects that have too many attempts. Updates rows in key order, so that transactions cannot deadlock. */
  async #consumeAll(
    tx: Tx,
    limit: RateLimit,
    counts: readonly (readonly [subject: string, count: number])[],
  ): Promise<Set<string>> {
    const now = this.#clock.now();
    const prefix = `${limit.name}:`;
    const keys = counts.map(([subject]) => prefix + subject);
    const seconds = counts.map(([, count]) => count * this.#secondsPerAttempt(limit));
    const capacity = `${limit.perSeconds} seconds`;
    const updated = await sql<{ key: string }>`
      insert into rate_limits (key, empty_at)
      select key, ${now}::timestamptz + make_interval(secs => seconds)
      from unnest(${keys}::text[], ${seconds}::float8[]) as attempt (key, seconds)
      where make_interval(secs => seconds) <= ${capacity}::interval
      order by key
      on conflict (key) do update
        set empty_at = greatest(rate_limits.empty_at, ${now}::timestamptz) + (excluded.empty_at - ${now}::timestamptz)
        where greatest(rate_limits.empty_at, ${now}::timestamptz) + (excluded.empty_at - ${now}::timestamptz)
              <= ${now}::timestamptz + ${capacity}::interval
      returning key`.execute(tx);
    return new Set(updated.rows.map(({ key }) => key.slice(prefix.length)));
  }

  /** Removes one attempt that turned out to be legitimate; other attempts by the subject still count. */
  async release(limit: RateLimit, subject: string): Promise<void> {
    const cost = `${this.#secondsPerAttempt(limit)} seconds`;
    await sql`
      update rate_limits set empty_at = empty_at - ${cost}::interval
      where key = ${`${limit.name}:${subject}`}`.execute(this.#db.global);
  }

  /** Forgets all attempts of the subject once the caller's transaction commits. */
  async clear(tx: Tx, limit: RateLimit, subject: string): Promise<void> {
    await tx.deleteFrom('rate_limits').where('key', '=', `${limit.name}:${subject}`).execute();
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
    'Too many attempts. Please wait a few minutes and try again.',
    {
      retryAfterSeconds: seconds,
    },
  );
}
