import { Counter, Gauge, Histogram } from 'prom-client';

/** The label is not called `job`, because Prometheus reserves that name for the scraped process. */
const jobSeconds = new Histogram({
  name: 'lessonbook_job_seconds',
  help: 'Duration of job attempts, by kind of job and outcome: done, failed',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
});
const abandonedJobs = new Counter({
  name: 'lessonbook_jobs_abandoned_total',
  help: 'Jobs whose last attempt has failed, by kind of job',
  labelNames: ['kind'],
});
const waitingJobs = new Gauge({
  name: 'lessonbook_queue_jobs',
  help: 'Jobs that are due and not started, by kind of job; every worker reports the same value',
  labelNames: ['kind'],
});
const oldestSeconds = new Gauge({
  name: 'lessonbook_queue_oldest_seconds',
  help: 'Waiting time of the oldest due job, by kind of job; every worker reports the same value',
  labelNames: ['kind'],
});

export interface JobAttempt {
  readonly job: string;
  readonly outcome: 'done' | 'failed';
  readonly seconds: number;
}
export const recordAttempt = ({ job, outcome, seconds }: JobAttempt): void =>
  jobSeconds.observe({ kind: job, outcome }, seconds);

/** Starts at 0, because Prometheus sees no increase in a series whose first value is 1. */
export function initializeAbandonedMetric(jobs: readonly string[]): void {
  for (const job of jobs) abandonedJobs.inc({ kind: job }, 0);
}
export const recordAbandoned = (job: string): void => abandonedJobs.inc({ kind: job });

/** Larger backlogs are reported as this number, so that the cost of measuring them is limited. */
const MAX_COUNTED = 10_000;

/** Reads at most MAX_COUNTED entries per queue of an index created by pg-boss, and the entries before the first due job. */
export const BACKLOG_SQL = `
  select queue.name as job, next.waiting,
         extract(epoch from now() - greatest(oldest.created_on, oldest.start_after))::float8 as "oldestSeconds"
    from unnest($1::text[]) as queue(name)
   cross join lateral (
     select count(*) filter (where start_after <= now())::int as waiting from (
       select start_after from jobs.job
        where name = queue.name and state < 'active' and not blocked
        order by priority desc, created_on
        limit ${MAX_COUNTED}) as counted) as next
   cross join lateral (
     select created_on, start_after from jobs.job
      where name = queue.name and state < 'active' and not blocked and start_after <= now()
      order by priority desc, created_on
      limit 1) as oldest`;

export interface Backlog {
  readonly job: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** Jobs without a backlog report 0, because a missing series could also mean that the worker is down. */
export function setBacklogMetrics(jobs: readonly string[], backlog: readonly Backlog[]): void {
  for (const job of jobs) {
    const found = backlog.find((entry) => entry.job === job);
    waitingJobs.set({ kind: job }, found?.waiting ?? 0);
    oldestSeconds.set({ kind: job }, found?.oldestSeconds ?? 0);
  }
}

/** Called if the backlog cannot be read, so that no stale values are reported. */
export function resetBacklogMetrics(): void {
  waitingJobs.reset();
  oldestSeconds.reset();
}
