import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RawRequest } from '../security-fuzz/raw-client.ts';

/** Requests that are sent together; the next ones follow when all have been answered. */
export interface Salvo {
  /** Sent in rotation. */
  requests: readonly RawRequest[];
  size: number;
}

export interface AttackData {
  url: string;
  salvos: readonly Salvo[];
}

/** The number of responses by status; 0 means no response. */
export type StatusCounts = Record<number, number>;

export interface AttackProgress {
  counts: StatusCounts;
  /** Whether at least one salvo has been answered. */
  isAnswered: boolean;
}

export interface Attack {
  progress: () => Promise<AttackProgress>;
  /** Aborts the requests that have not been answered yet. */
  stop: () => Promise<void>;
}

/** Attacks from a separate thread, so that large requests and responses do not delay the measurement. */
export class AttackThreads {
  /** Started in advance, so that its code loads while the previous attack runs. */
  #next = startThread();

  async start(data: AttackData): Promise<Attack> {
    const thread = await this.#next;
    this.#next = startThread();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
    thread.postMessage(data);
    return {
      progress: async () => {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin.
        thread.postMessage('progress');
        const [progress] = (await once(thread, 'message')) as [AttackProgress];
        return progress;
      },
      stop: async () => void (await thread.terminate()),
    };
  }

  async close(): Promise<void> {
    await (await this.#next).terminate();
  }
}

async function startThread(): Promise<Worker> {
  const thread = new Worker(new URL('attack-thread.ts', import.meta.url));
  await once(thread, 'message');
  return thread;
}
