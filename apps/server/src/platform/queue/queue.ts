import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import {
  type Job as ClaimedJob,
  type ConstructorOptions,
  type JobWithMetadata,
  PgBoss,
} from 'pg-boss';
import { afterCommit, pgClientOf, type Tx } from '../db/database.ts';
import type { Log } from '../observability/log.ts';
import {
  type Operation,
  TRACE_CONTEXT_FIELD,
  traceContextOf,
  traceOperation,
  withTraceContext,
} from '../observability/tracing.ts';
import { ABANDONED_QUEUE, SCHEMA } from './install-queue.ts';
import type { AnyJob, JobType } from './job.ts';
import {
  BACKLOG_SQL,
  type Backlog,
  initializeAbandonedMetric,
  recordAbandoned,
  recordAttempt,
  resetBacklogMetrics,
  setBacklogMetrics,
} from './queue-metrics.ts';
import { WorkerNotifier } from './worker-notifier.ts';

const SUPERVISE_SECONDS = 5;

const WORK_OPTIONS = {
  perJobResults: true,
  burstWhenBatchFull: true,
} as const;
/** A batch of this size is fetched in two halves, so that one is processed while the other is completed and fetched. */
const LARGE_BATCH = 20;
const POLL_SECONDS = 2;
const ABANDONED_CONCURRENCY = 5;
const MEASURE_INTERVAL_MS = 5_000;
const STOP_TIMEOUT_MS = 10_000;

/** A function, because each operation needs its own object. */
const insertJob = (): Operation => ({ kind: 'statement', summary: 'insert job' });
const jobOperation = (name: string, { data, retryCount }: ClaimedJob): Operation => ({
  kind: 'job',
  name,
  attempt: retryCount + 1,
  traceparent: traceContextOf(data),
});

interface EnqueueOptions {
  /** The earliest time at which the job may start. */
  startAfter?: Date;
  /** The minimum delay before the job starts, by the database clock. */
  afterSeconds?: number;
}

export class Queue {
  readonly #boss: PgBoss;
  readonly #log: Log;
  readonly #notifier: WorkerNotifier;
  readonly #pollSeconds: number;
  /** The pg-boss worker of each queue. */
  readonly #workerIds = new Map<string, string>();
  #measuredAt = Number.NEGATIVE_INFINITY;

  constructor(
    clientConfig: pg.ClientConfig,
    log: Log,
    role: 'sender' | 'worker',
    { pollSeconds = POLL_SECONDS }: { pollSeconds?: number } = {},
  ) {
    const isWorker = role === 'worker';
    this.#log = log;
    this.#pollSeconds = pollSeconds;
    this.#boss = new PgBoss({
      // pg-boss passes all of these to pg.
      ...(clientConfig as ConstructorOptions),
      schema: SCHEMA,
      max: isWorker ? 4 : 2,
      migrate: false,
      createSchema: false,
      supervise: isWorker,
      schedule: isWorker,
      superviseIntervalSeconds: SUPERVISE_SECONDS,
      monitorIntervalSeconds: SUPERVISE_SECONDS,
      reindex: false,
    });
    this.#boss.on('error', (error) => log.error({ err: error }, 'queue error'));
    this.#notifier = new WorkerNotifier(() => this.#boss.getDb());
  }

  async start(): Promise<void> {
    await this.#boss.start();
  }

  /** Inserts the job within the transaction, so that it exists only if the change commits. */
  async enqueue<Payload extends object>(
    tx: Tx,
    job: JobType<Payload>,
    payload: Payload,
    { afterSeconds, startAfter }: EnqueueOptions = {},
  ): Promise<void> {
    const client = pgClientOf(tx);
    const start = startAfter ?? afterSeconds;
    const id = await traceOperation(insertJob(), () =>
      this.#boss.send(job.name, withTraceContext(payload), {
        ...(start === undefined ? {} : { startAfter: start }),
        db: { executeSql: (text, values) => client.query(text, values as unknown[]) },
      }),
    );
    if (id === null) throw new Error(`The job ${job.name} was not enqueued`);
    if (start === undefined || start === 0) afterCommit(tx, () => this.#notifier.notify(job.name));
  }

  /** Enqueues many jobs of one kind in a single statement. The workers find a batch at their next poll. */
  async enqueueAll<Payload extends object>(
    tx: Tx,
    job: JobType<Payload>,
    payloads: readonly Payload[],
  ): Promise<void> {
    const client = pgClientOf(tx);
    await traceOperation(insertJob(), () =>
      this.#boss.insert(
        job.name,
        payloads.map((payload) => ({ data: withTraceContext(payload) })),
        { db: { executeSql: (text, values) => client.query(text, values as unknown[]) } },
      ),
    );
    if (payloads.length === 1) afterCommit(tx, () => this.#notifier.notify(job.name));
  }

  /** Deletes a deleted tutor's jobs, whether pending or finished. */
  async deleteTutorJobs(tx: Tx, tutorId: string): Promise<void> {
    await pgClientOf(tx).query(`delete from ${SCHEMA}.job where data->>'tutorId' = $1`, [tutorId]);
  }

  async work<Context>(context: Context, jobs: readonly AnyJob<Context>[]): Promise<void> {
    initializeAbandonedMetric(jobs.map((job) => job.name));
    const workOptions = { ...WORK_OPTIONS, pollingIntervalSeconds: this.#pollSeconds };
    for (const job of jobs) {
      const handler = async (claimed: ClaimedJob[]) =>
        Promise.all(claimed.map((claimedJob) => this.#run(context, job, claimedJob)));
      const localConcurrency = job.concurrency >= LARGE_BATCH ? 2 : 1;
      const batchSize = Math.ceil(job.concurrency / localConcurrency);
      const options = { ...workOptions, localConcurrency, batchSize };
      this.#workerIds.set(job.name, await this.#boss.work<object>(job.name, options, handler));
      if (job.cron === undefined) continue;
      await this.#boss.schedule(job.name, job.cron, {}, { tz: 'UTC' });
    }
    const abandonedWorkerId = await this.#boss.work(
      ABANDONED_QUEUE,
      { ...workOptions, batchSize: ABANDONED_CONCURRENCY, includeMetadata: true },
      async (claimed: JobWithMetadata[]) =>
        Promise.all(claimed.map((copy) => this.#abandon(context, jobs, copy))),
    );
    this.#workerIds.set(ABANDONED_QUEUE, abandonedWorkerId);
    const notifyWorker = (name: string) => {
      const workerId = this.#workerIds.get(name);
      if (workerId !== undefined) this.#boss.notifyWorker(workerId);
    };
    await this.#notifier.listen(notifyWorker, () => {
      for (const name of this.#workerIds.keys()) notifyWorker(name);
    });
  }

  async #run<Context>(context: Context, job: AnyJob<Context>, claimed: ClaimedJob) {
    const start = performance.now();
    const record = (outcome: 'done' | 'failed') =>
      recordAttempt({ job: job.name, outcome, seconds: (performance.now() - start) / 1000 });
    try {
      await traceOperation(jobOperation(job.name, claimed), () =>
        job.run(context, job.payload.parse(claimed.data), claimed.retryCount),
      );
      record('done');
      return { id: claimed.id, status: 'completed' as const };
    } catch (error) {
      record('failed');
      this.#log.warn(
        { err: error, job: job.name, jobId: claimed.id, attempt: claimed.retryCount + 1 },
        'job failed',
      );
      return { id: claimed.id, status: 'failed' as const };
    }
  }

  /** Handles the copy of a job that will not be retried. A failure here is retried for days. */
  async #abandon<Context>(
    context: Context,
    jobs: readonly AnyJob<Context>[],
    copy: JobWithMetadata,
  ) {
    const name = copy.sourceName ?? '';
    const fields = { job: name, jobId: copy.sourceId };
    if (copy.retryCount === 0) {
      recordAbandoned(name);
      this.#log.error(fields, 'job abandoned');
    }
    try {
      const job = jobs.find((each) => each.name === name);
      const payload = job?.payload.safeParse(copy.data);
      // A job whose payload is invalid failed for that reason, and its handler cannot be called.
      if (job?.onAbandoned && payload?.success) {
        const { data } = payload;
        await traceOperation(jobOperation(ABANDONED_QUEUE, copy), async () =>
          job.onAbandoned?.(context, data),
        );
      }
      return { id: copy.id, status: 'completed' as const };
    } catch (error) {
      this.#log.warn({ err: error, ...fields }, 'handling an abandoned job failed');
      return { id: copy.id, status: 'failed' as const };
    }
  }

  /** The payloads of a tutor's jobs of one kind that will still run, or whose last failure is still being handled. */
  async listLivePayloads(tx: Tx, name: string, tutorId: string): Promise<unknown[]> {
    const { rows } = await pgClientOf(tx).query<{ data: unknown }>(
      `select data - '${TRACE_CONTEXT_FIELD}' as data from ${SCHEMA}.job
        where data->>'tutorId' = $1 and state < 'completed'
          and (name = $2 or (name = '${ABANDONED_QUEUE}' and source_name = $2))`,
      [tutorId, name],
    );
    return rows.map((row) => row.data);
  }

  /** Measures the backlog at most once every few seconds, however often the metrics are read. */
  async updateMetrics(): Promise<void> {
    const now = performance.now();
    if (now < this.#measuredAt + MEASURE_INTERVAL_MS) return;
    this.#measuredAt = now;
    try {
      const names = [...this.#workerIds.keys()];
      const { rows } = await this.#boss.getDb().executeSql(BACKLOG_SQL, [names]);
      setBacklogMetrics(names, rows as Backlog[]);
    } catch (error) {
      resetBacklogMetrics();
      throw error;
    }
  }

  /** Gives running jobs up to 10 seconds to finish. */
  async stop(): Promise<void> {
    await this.#notifier.stop();
    // `boss.stop` would also wait, but it checks only every half second whether the workers have stopped.
    const workersStopped = Promise.all(
      [...this.#workerIds.keys()].map((name) => this.#boss.offWork(name)),
    );
    await Promise.race([workersStopped, sleep(STOP_TIMEOUT_MS, undefined, { ref: false })]);
    await this.#boss.stop({ graceful: false });
  }
}
