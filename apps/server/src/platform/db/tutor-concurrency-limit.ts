import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError } from '../app-error.ts';

interface TutorQueue {
  running: number;
  /** Functions that each start one waiting operation. */
  waiting: (() => void)[];
}

interface LimitOptions {
  /** How many operations may run at once for one tutor. */
  concurrency: number;
  maxWaiting: number;
  maxWaitMs: number;
  /** Allows this limit to be used inside another limit for the same tutor. */
  mayNest?: boolean;
  /** False if the operations take their connections from another limit. */
  hasConnections?: boolean;
  /** A slot is not used again immediately after a long operation. */
  rests?: boolean;
}

/** After an operation of at least this duration, its slot stays occupied for the same time again, but no longer than the maximum. */
const REST_FROM_MS = 50;
const MAX_REST_MS = 1_000;

/** The limits held by the current async context, to detect nested use. */
const held = new AsyncLocalStorage<readonly { limit: TutorLimit; tutorId: string }[]>();

/**
 * Limits how many connections one tutor's requests use at once. Further requests wait in order, without a connection, so that
 * other tutors' requests are not delayed. Slots rest after long operations, so that one tutor's large requests use at most
 * half of the processor time that the slots could use. A request never waits for its own slot to rest.
 */
export class TutorLimit {
  readonly #options: LimitOptions;
  readonly #queues = new Map<string, TutorQueue>();

  constructor(options: LimitOptions) {
    this.#options = options;
  }

  async run<T>(tutorId: string, work: () => Promise<T>): Promise<T> {
    const outer = held.getStore() ?? [];
    const isNested = outer.some(
      (each) => each.tutorId === tutorId && (each.limit === this || !this.#options.mayNest),
    );
    // Requests that hold a connection while they wait for another could deadlock.
    if (isNested) throw new Error('A transaction was opened inside another one for the same tutor');
    await this.#acquire(tutorId);
    const start = performance.now();
    try {
      if (this.#options.hasConnections === false) return await work();
      return await held.run([...outer, { limit: this, tutorId }], work);
    } finally {
      this.#releaseAfterRest(tutorId, performance.now() - start);
    }
  }

  /** Returns undefined if there is no need to wait. */
  #acquire(tutorId: string): Promise<void> | undefined {
    const queue = this.#queues.get(tutorId) ?? { running: 0, waiting: [] };
    this.#queues.set(tutorId, queue);
    if (queue.running < this.#options.concurrency) {
      queue.running += 1;
      return undefined;
    }
    if (queue.waiting.length >= this.#options.maxWaiting) throw busyError();
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1);
        reject(busyError());
      }, this.#options.maxWaitMs);
      queue.waiting.push(start);
    });
  }

  #releaseAfterRest(tutorId: string, ms: number): void {
    if (!this.#options.rests || ms < REST_FROM_MS) this.#release(tutorId);
    else setTimeout(() => this.#release(tutorId), Math.min(ms, MAX_REST_MS)).unref();
  }

  #release(tutorId: string): void {
    const queue = this.#queues.get(tutorId);
    const next = queue?.waiting.shift();
    // The next operation takes over this slot.
    if (next) next();
    else if (queue && --queue.running === 0) this.#queues.delete(tutorId);
  }
}

/** The same as lock_timeout. */
const WAIT_IN_QUEUE = { maxWaiting: 100, maxWaitMs: 10_000 };
/** The share of the pool that one tutor's reads may use; transactions without the lock may use the same share again. */
const TUTOR_SHARE = 0.2;

export type TutorLimits = ReturnType<typeof createTutorLimits>;

/** The limits of a process with this many database connections. */
export function createTutorLimits(poolSize: number) {
  const concurrency = Math.max(1, Math.floor(poolSize * TUTOR_SHARE));
  return {
    /** One at a time, because a second writer would hold a connection while waiting for the tutor's row lock. */
    writes: new TutorLimit({ concurrency: 1, ...WAIT_IN_QUEUE }),
    reads: new TutorLimit({ concurrency, rests: true, ...WAIT_IN_QUEUE }),
    /** Each of them also counts as one of the reads, and takes its connection from there. */
    wholeAccountReads: new TutorLimit({
      concurrency: 1,
      rests: true,
      hasConnections: false,
      ...WAIT_IN_QUEUE,
    }),
    /** May nest, because an export saves its progress while it holds a snapshot. */
    unlocked: new TutorLimit({ concurrency, mayNest: true, ...WAIT_IN_QUEUE }),
  };
}

const busyError = () =>
  new AppError('too_many_requests', 'Lessonbook is busy. Please try again in a moment.', {
    retryAfterSeconds: 2,
  });
