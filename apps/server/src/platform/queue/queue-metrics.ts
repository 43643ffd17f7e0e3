import { Gauge, Histogram } from 'prom-client';

/** The label is not `job`: Prometheus itself calls the scraped process so. */
const jobSeconds = new Histogram({
  name: 'lessonbook_job_seconds',
  help: 'Time that an attempt at a job took, by kind of job and what came of it: done, failed (tried again later), given_up',
  labelNames: ['kind', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 15, 60],
});
const waitingJobs = new Gauge({
  name: 'lessonbook_queue_jobs',
  help: 'Jobs that are due and not begun, by kind of job; the same from every worker',
  labelNames: ['kind'],
});
const oldestSeconds = new Gauge({
  name: 'lessonbook_queue_oldest_seconds',
  help: 'How long the oldest job that is due has waited, by kind of job; the same from every worker',
  labelNames: ['kind'],
});

export interface JobAttempt {
  readonly job: string;
  readonly outcome: 'done' | 'failed' | 'given_up';
  readonly seconds: number;
}
export const recordAttempt = ({ job, outcome, seconds }: JobAttempt): void =>
  jobSeconds.observe({ kind: job, outcome }, seconds);

export interface Backlog {
  readonly job: string;
  readonly waiting: number;
  readonly oldestSeconds: number;
}

/** A job of which nothing waits is shown with 0: a line that ends could also mean that nobody looks any more. */
export function setBacklogMetrics(jobs: readonly string[], backlog: readonly Backlog[]): void {
  for (const job of jobs) {
    const found = backlog.find((each) => each.job === job);
    waitingJobs.set({ kind: job }, found?.waiting ?? 0);
    oldestSeconds.set({ kind: job }, found?.oldestSeconds ?? 0);
  }
}

/** The database did not answer: better no figure than an old one. */
export function resetBacklogMetrics(): void {
  waitingJobs.reset();
  oldestSeconds.reset();
}
