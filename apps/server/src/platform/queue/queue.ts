import type pg from 'pg';
import { type Job as ClaimedJob, type ConstructorOptions, PgBoss } from 'pg-boss';
import type * as z from 'zod/mini';
import { pgClientOf, type Tx } from '../db/database.ts';
import type { Log } from '../observability/log.ts';
import {
  type Backlog,
  recordAttempt,
  resetBacklogMetrics,
  setBacklogMetrics,
} from './queue-metrics.ts';

const SCHEMA = 'jobs';

/** If a worker sends no heartbeat for this long, its job goes to another worker. */
const HEARTBEAT_SECONDS = 10;
const SUPERVISE_SECONDS = 5;

/**
 * A background job. The payload contains only ids, never personal data. `run` re-reads the state and must be safe to
 * run twice.
 */
export interface Job<Context, Payload = unknown> {
  readonly name: string;
  readonly payload: z.ZodMiniType<Payload>;
  readonly retries: number;
  readonly retryDelaySeconds: number;
  /** How many of these jobs one worker runs concurrently. */
  readonly concurrency: number;
  /** A cron expression in UTC, for periodic jobs; their payload is empty. */
  readonly cron?: string;
  /**
   * `previousAttempts` is how often the job has been started before; an attempt that crashed may have done part of the
   * work.
   */
  run(context: Context, payload: Payload, previousAttempts: number): Promise<void>;
}

// The method syntax above makes Job bivariant in its payload, so that a list of different jobs has a single type.
type AnyJob<Context = never> = Job<Context>;

interface EnqueueOptions {
  /** The earliest time at which the job may start. */
  startAfter?: Date;
  /** The minimum delay before the job starts, by the database clock. */
  afterSeconds?: number;
}

export class Queue {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #names: string[] = [];

  constructor(clientConfig: pg.ClientConfig, log: Log, role: 'sender' | 'worker') {
    const isWorker = role === 'worker';
    this.#log = log;
    this.#boss = new PgBoss({
      // pg-boss passes all of these to pg.
      ...(clientConfig as ConstructorOptions),
      schema: SCHEMA,
      max: isWorker ? 4 : 2,
      migrate: false,
      createSchema: false,
      supervise: isWorker,
      schedule: isWorker,
      useListenNotify: isWorker,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      reindex: false,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'queue error'));
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Inserts the job within the transaction, so that it exists only if the change commits. */
  async enqueue<Payload extends object>(
    tx: Tx,
    job: Pick<Job<never, Payload>, 'name' | 'payload'>,
    payload: Payload,
    { afterSeconds, startAfter }: EnqueueOptions = {},
  ): Promise<void> {
    const client = pgClientOf(tx);
    const start = startAfter ?? afterSeconds;
    const id = await this.#boss.send(job.name, payload, {
      ...(start === undefined ? {} : { startAfter: start }),
      db: { executeSql: (text, values) => client.query(text, values as unknown[]) },
    });
    if (id === null) throw new Error(`The job ${job.name} was not enqueued`);
  }

  /** Enqueues many jobs of one kind in a single statement. */
  async enqueueAll<Payload extends object>(
    tx: Tx,
    job: Pick<Job<never, Payload>, 'name' | 'payload'>,
    payloads: readonly Payload[],
  ): Promise<void> {
    const client = pgClientOf(tx);
    await this.#boss.insert(
      job.name,
      payloads.map((data) => ({ data })),
      { db: { executeSql: (text, values) => client.query(text, values as unknown[]) } },
    );
  }

  /** Deletes a deleted tutor's jobs, whether pending or finished. */
  async deleteTutorJobs(tx: Tx, tutorId: string): Promise<void> {
    await pgClientOf(tx).query(`delete from ${SCHEMA}.job where data->>'tutorId' = $1`, [tutorId]);
  }

  async work<Context>(context: Context, jobs: readonly AnyJob<Context>[]): Promise<void> {
    for (const job of jobs) {
      this.#names.push(job.name);
      const handler = async (claimed: ClaimedJob[]) =>
        Promise.all(claimed.map((claimedJob) => this.#run(context, job, claimedJob)));
      const options = {
        batchSize: job.concurrency,
        perJobResults: true,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
      } as const;
      await this.#boss.work<object>(job.name, options, handler);
      if (job.cron === undefined) continue;
      await this.#boss.schedule(job.name, job.cron, {}, { tz: 'UTC' });
    }
  }

  async #run<Context>(context: Context, job: AnyJob<Context>, claimed: ClaimedJob) {
    const start = performance.now();
    const record = (outcome: 'done' | 'failed' | 'given_up') =>
      recordAttempt({ job: job.name, outcome, seconds: (performance.now() - start) / 1000 });
    try {
      await job.run(context, job.payload.parse(claimed.data), claimed.retryCount);
      record('done');
      return { id: claimed.id, status: 'completed' as const };
    } catch (error) {
      record(claimed.retryCount < job.retries ? 'failed' : 'given_up');
      this.#log.warn(
        { err: error, job: job.name, jobId: claimed.id, attempt: claimed.retryCount + 1 },
        'job failed',
      );
      return { id: claimed.id, status: 'failed' as const };
    }
  }

  /** Reads the backlog; the query uses an index created by pg-boss. */
  async updateMetrics(): Promise<void> {
    resetBacklogMetrics();
    const { rows }: { rows: Backlog[] } = await this.#boss.getDb().executeSql(
      `select name as job, count(*)::int as waiting,
              extract(epoch from max(now() - greatest(created_on, start_after)))::float8 as "oldestSeconds"
         from ${SCHEMA}.job
        where state < 'active' and not blocked and start_after <= now()
        group by name`,
    );
    setBacklogMetrics(this.#names, rows);
  }

  /** Gives running jobs up to 10 seconds to finish. */
  async stop(): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: 10_000 });
  }
}

/** Creates or updates the pg-boss tables and one queue per job, as the owner role; part of the migration. */
export async function installQueue(ownerUrl: string, jobs: readonly AnyJob[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: SCHEMA,
    max: 2,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  try {
    for (const job of jobs) {
      const options = {
        notify: true,
        retryLimit: job.retries,
        retryDelay: job.retryDelaySeconds,
        retryBackoff: true,
        retryDelayMax: 900,
        expireInSeconds: 120,
        heartbeatSeconds: HEARTBEAT_SECONDS,
        retentionSeconds: 14 * 86_400,
        deleteAfterSeconds: 7 * 86_400,
      };
      const existing = await boss.getQueue(job.name);
      if (existing === null) await boss.createQueue(job.name, options);
      else await boss.updateQueue(job.name, options);
    }
    await boss.getDb().executeSql(
      `grant usage on schema ${SCHEMA} to lessonbook_app, lessonbook_maintenance;
       grant select, insert, update, delete on all tables in schema ${SCHEMA} to lessonbook_app;
       grant select on all tables in schema ${SCHEMA} to lessonbook_maintenance;
       grant execute on all functions in schema ${SCHEMA} to lessonbook_app;
       grant usage on all sequences in schema ${SCHEMA} to lessonbook_app`,
    );
  } finally {
    await boss.stop({ graceful: false });
  }
}
