import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { RawRequest } from '../security-fuzz/raw-client.ts';

/** Requests that are sent together; the next ones follow when all have been answered. */
export interface Salvo {
  /** Sent in turn. */
  requests: readonly RawRequest[];
  size: number;
}

export interface AttackThreadData {
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
  /** Aborts the requests that are not answered yet. */
  stop: () => Promise<void>;
}

/** Attacks from a separate thread, so that large requests and responses do not delay the measurement. */
export async function startAttack(data: AttackThreadData): Promise<Attack> {
  const thread = new Worker(new URL('attack-thread.ts', import.meta.url), { workerData: data });
  await once(thread, 'message');
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
