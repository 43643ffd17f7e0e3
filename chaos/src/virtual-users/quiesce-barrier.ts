/** Lets a tutor's virtual users write concurrently, and pauses them while a check reads the tutor's data. */
export class QuiesceBarrier {
  #running = 0;
  #closed: PromiseWithResolvers<void> | null = null;
  #whenIdle: (() => void) | null = null;

  async run(work: () => Promise<void>): Promise<void> {
    while (this.#closed) await this.#closed.promise;
    this.#running += 1;
    try {
      await work();
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#whenIdle?.();
    }
  }

  /** Only one check may run at a time. */
  async whileQuiesced<T>(check: () => Promise<T>): Promise<T> {
    const closed = Promise.withResolvers<void>();
    this.#closed = closed;
    if (this.#running > 0) {
      await new Promise<void>((resolve) => {
        this.#whenIdle = resolve;
      });
    }
    try {
      return await check();
    } finally {
      this.#closed = null;
      this.#whenIdle = null;
      closed.resolve();
    }
  }
}
