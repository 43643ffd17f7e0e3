import type { RandomSource } from './seeded-random-and-ids.ts';

export interface DeliverySettings {
  /** Number of copies sent of each message, because vendors may deliver a message more than once. */
  copies: number;
  /** Each copy is delayed by a random time between these, in milliseconds. */
  delay: readonly [number, number];
  /** Sends queued messages in random order. */
  shuffle: boolean;
  /** Fraction of copies that are never sent, from 0 to 1. */
  lossRate: number;
  /** Delay in milliseconds before each retry; delivery is abandoned after the last retry. */
  backoff: readonly number[];
  /** Maximum number of concurrent deliveries. */
  maxConcurrent: number;
  timeout: number;
}

export const DEFAULT_DELIVERY: DeliverySettings = {
  copies: 1,
  delay: [0, 0],
  shuffle: false,
  lossRate: 0,
  backoff: [50, 200, 500, 1_000, 2_000],
  maxConcurrent: 16,
  timeout: 10_000,
};

export interface QueuedMessage<T> {
  content: T;
  copy: number;
  attempt: number;
}

/** Sends one message and returns whether to retry. */
type Send<T> = (queued: QueuedMessage<T>, timeoutMillis: number) => Promise<'done' | 'retry'>;

/** Sends messages, with configurable copies, delays, losses and order. */
export class DeliveryQueue<T> {
  settings: DeliverySettings = DEFAULT_DELIVERY;
  private readonly waiting: QueuedMessage<T>[] = [];
  private readonly timers = new Set<NodeJS.Timeout>();
  private readonly random: RandomSource;
  private readonly send: Send<T>;
  private inFlight = 0;
  private held = false;
  private closed = false;
  private listeners: (() => void)[] = [];

  constructor(random: RandomSource, send: Send<T>) {
    this.random = random;
    this.send = send;
  }

  enqueue(content: T, copies: number): void {
    const [min, max] = this.settings.delay;
    for (let copy = 1; copy <= copies; copy += 1) {
      if (this.settings.lossRate > 0 && this.random() < this.settings.lossRate) continue;
      const wait = min + this.random() * (max - min);
      // Shuffling needs several messages in the queue, so wait for some to accumulate.
      const millis = this.settings.shuffle ? Math.max(wait, 10) : wait;
      this.schedule(millis, { content, copy, attempt: 1 });
    }
  }

  hold(): void {
    this.held = true;
  }

  release(): void {
    this.held = false;
    this.sendNext();
  }

  /** Resolves when no message is queued, in flight or awaiting retry; held messages do not count. */
  async whenIdle(): Promise<void> {
    while (!this.isIdle()) {
      await new Promise<void>((resolve) => this.listeners.push(resolve));
    }
  }

  close(): void {
    this.closed = true;
    this.waiting.length = 0;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
    this.notifyIdle();
  }

  private schedule(millis: number, queued: QueuedMessage<T>): void {
    if (this.closed) return;
    if (millis <= 0) {
      this.waiting.push(queued);
      this.sendNext();
      return;
    }
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      this.waiting.push(queued);
      this.sendNext();
    }, millis);
    this.timers.add(timer);
  }

  private sendNext(): void {
    while (!this.held && this.inFlight < this.settings.maxConcurrent && this.waiting.length > 0) {
      const index = this.settings.shuffle ? Math.floor(this.random() * this.waiting.length) : 0;
      const [queued] = this.waiting.splice(index, 1);
      if (queued) void this.deliver(queued);
    }
    this.notifyIdle();
  }

  private async deliver(queued: QueuedMessage<T>): Promise<void> {
    this.inFlight += 1;
    const outcome = await this.send(queued, this.settings.timeout);
    this.inFlight -= 1;
    const wait = this.settings.backoff[queued.attempt - 1];
    if (outcome === 'retry' && wait !== undefined) {
      this.schedule(Math.max(wait, 1), { ...queued, attempt: queued.attempt + 1 });
    }
    this.sendNext();
  }

  private isIdle(): boolean {
    if (this.closed) return true;
    const waiting = this.held ? 0 : this.waiting.length;
    return this.inFlight === 0 && this.timers.size === 0 && waiting === 0;
  }

  private notifyIdle(): void {
    if (!this.isIdle()) return;
    const listeners = this.listeners;
    this.listeners = [];
    for (const listener of listeners) listener();
  }
}
