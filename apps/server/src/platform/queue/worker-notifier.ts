import type { Db } from 'pg-boss';

export const JOB_CHANNEL = 'job_enqueued';
/** At most 20 notifications per second for each process, however many jobs are enqueued. */
const INTERVAL_MS = 50;

/**
 * Notifies the workers which queues have new jobs, so that they do not wait for the next poll. NOTIFY takes a lock that is
 * shared by all databases of the server until the transaction has reached the disk, so it is not part of the transaction
 * that enqueues a job: it is sent on its own after the commit, for all queues together. If a notification is lost, the worker
 * finds the job at the next poll.
 */
export class WorkerNotifier {
  readonly #database: () => Db;
  readonly #queues = new Set<string>();
  #listener: { close: () => Promise<void> } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #lastSentAt = Number.NEGATIVE_INFINITY;

  constructor(database: () => Db) {
    this.#database = database;
  }

  /** Called after the commit of a transaction that enqueued jobs. */
  notify(queue: string): void {
    this.#queues.add(queue);
    const wait = Math.max(0, this.#lastSentAt + INTERVAL_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#send(), wait).unref();
  }

  /** Calls `onNotified` with the name of a queue that has new jobs, and `onReconnected` when notifications may have been lost. */
  async listen(onNotified: (queue: string) => void, onReconnected: () => void): Promise<void> {
    this.#listener = await this.#database().listen?.(
      JOB_CHANNEL,
      (payload) => payload.split(' ').forEach(onNotified),
      onReconnected,
    );
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#listener?.close();
  }

  #send(): void {
    const queues = [...this.#queues];
    this.#queues.clear();
    this.#timer = undefined;
    this.#lastSentAt = performance.now();
    this.#database()
      .executeSql('select pg_notify($1, $2)', [JOB_CHANNEL, queues.join(' ')])
      // The workers also poll, so they find the jobs anyway.
      .catch(() => undefined);
  }
}
