/** Lets a tutor's browsers work, until somebody wants to look at a book in which nobody is writing. */
export class QuiesceBarrier {
  #busy = 0;
  #closed: PromiseWithResolvers<void> | null = null;
  #whenStill: (() => void) | null = null;

  async run(work: () => Promise<void>): Promise<void> {
    while (this.#closed) await this.#closed.promise;
    this.#busy += 1;
    try {
      await work();
    } finally {
      this.#busy -= 1;
      if (this.#busy === 0) this.#whenStill?.();
    }
  }

  /** One at a time. */
  async whileQuiesced<T>(look: () => Promise<T>): Promise<T> {
    const closed = Promise.withResolvers<void>();
    this.#closed = closed;
    if (this.#busy > 0) {
      await new Promise<void>((resolve) => {
        this.#whenStill = resolve;
      });
    }
    try {
      return await look();
    } finally {
      this.#closed = null;
      this.#whenStill = null;
      closed.resolve();
    }
  }
}
