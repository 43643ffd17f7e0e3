import type * as z from 'zod/mini';
import type { Tx } from '../db/database.ts';

/** How long a failing job is retried. */
export type RetryFor = { minutes: number } | { hours: number } | { days: number };

/**
 * A background job. The payload contains only ids, never personal data. `run` re-reads the state and must be safe to
 * run twice.
 */
interface JobBase<Context, Payload> {
  readonly name: string;
  readonly payload: z.ZodMiniType<Payload>;
  readonly retryFor: RetryFor;
  /** For jobs that may run for minutes; a dead worker is detected much sooner, by its missing heartbeat. */
  readonly isLong?: boolean;
  /** How many of these jobs one worker runs concurrently. */
  readonly concurrency: number;
  /** A cron expression in UTC, for periodic jobs; their payload is empty. */
  readonly cron?: string;
  /**
   * `previousAttempts` is how many times the job has been started before; an attempt that crashed may have done part of the
   * work.
   */
  run(context: Context, payload: Payload, previousAttempts: number): Promise<void>;
}

interface WithAbandonedHandler<Context, Payload> {
  /**
   * Called after the last attempt has failed: updates the state that depends on the job and notifies the person concerned.
   * Must be safe to run twice and do nothing if the work was done after all.
   */
  onAbandoned(context: Context, payload: Payload): Promise<void>;
  /** The payloads of a tutor's rows that are waiting for this job. A daily sweep abandons rows that have no job. */
  listPending?(tx: Tx, tutorId: string): Promise<Payload[]>;
  readonly noAbandonedHandlerReason?: never;
}

interface WithoutAbandonedHandler {
  /** Why nothing is left waiting once all attempts have failed. */
  readonly noAbandonedHandlerReason: string;
  readonly onAbandoned?: never;
  readonly listPending?: never;
}

// The method syntax above makes Job bivariant in its payload, so that a list of different jobs has a single type.
export type Job<Context, Payload = unknown> = JobBase<Context, Payload> &
  (WithAbandonedHandler<Context, Payload> | WithoutAbandonedHandler);

export type AnyJob<Context = never> = Job<Context>;

/** What is needed to enqueue a job. */
export type JobType<Payload> = Pick<JobBase<never, Payload>, 'name' | 'payload'>;

const FIRST_RETRY_SECONDS = 2;
/** Short enough that work resumes soon after a long outage ends. */
const MAX_RETRY_DELAY_SECONDS = 900;
/** A short budget still gets at least this many attempts. */
const MIN_ATTEMPTS = 12;

/**
 * Exponential backoff with a maximum delay, and as many retries as the budget allows. The queue adds up to 100% jitter to
 * the delays that are below the maximum, so the budget is a lower limit.
 */
export function retryPolicy(retryFor: RetryFor) {
  const budget = toSeconds(retryFor);
  const retryDelayMax = Math.min(Math.ceil(budget / MIN_ATTEMPTS), MAX_RETRY_DELAY_SECONDS);
  let retryLimit = 0;
  for (let elapsed = 0; elapsed < budget; retryLimit += 1) {
    elapsed += Math.min(FIRST_RETRY_SECONDS * 2 ** retryLimit, retryDelayMax);
  }
  return { retryLimit, retryDelay: FIRST_RETRY_SECONDS, retryBackoff: true, retryDelayMax };
}

function toSeconds(retryFor: RetryFor): number {
  if ('minutes' in retryFor) return retryFor.minutes * 60;
  return 'hours' in retryFor ? retryFor.hours * 3_600 : retryFor.days * 86_400;
}
