import { Piscina } from 'piscina';
import { AppError } from '../app-error.ts';
import { sha256 } from '../crypto/tokens.ts';

const THREADS = 2;
const IDLE_THREAD_MS = 60_000;
/** Includes the time that a document waits for a thread. */
const DEFAULT_TIME_LIMIT_MS = 45_000;
const MAX_QUEUED = 50;
const MAX_QUEUED_PER_TUTOR = 20;
const CACHE_BYTES = 32 * 1024 * 1024;
/** Short, because a cached document may contain the data of a person who is then erased. */
const CACHE_MS = 10 * 60_000;

/** The functions exported by the entry file of the worker threads, by name. */
type DrawFunctions<Functions> = {
  [Name in keyof Functions]: (input: never) => Promise<Buffer>;
};

/**
 * Renders PDFs in worker threads, so that a long document does not delay other requests or jobs. The documents of one
 * tutor are rendered one after the other, so that they occupy only one thread.
 */
export class PdfRenderer<Functions extends DrawFunctions<Functions>> {
  readonly #pool: Piscina;
  readonly #timeLimitMs: number;
  readonly #cache = new PdfCache();
  readonly #inProgress = new Map<string, Promise<Buffer>>();
  readonly #queues = new Map<string, { count: number; last: Promise<unknown> }>();

  constructor(entryFile: URL, timeLimitMs = DEFAULT_TIME_LIMIT_MS) {
    this.#timeLimitMs = timeLimitMs;
    this.#pool = new Piscina({
      filename: entryFile.href,
      minThreads: 0,
      maxThreads: THREADS,
      idleTimeout: IDLE_THREAD_MS,
      // The threads need neither the secrets in the environment nor the process's debugging options.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
  }

  /**
   * The document is taken from the cache if everything shown in it is unchanged. `now` is only the creation date in
   * the metadata.
   */
  async render<Name extends keyof Functions & string>(
    tutorId: string,
    name: Name,
    input: Parameters<Functions[Name]>[0] & { now: Date },
  ): Promise<Buffer> {
    const content = Object.assign({}, input, { now: null });
    const hash = sha256(JSON.stringify(content)).toString('base64url');
    const key = `${tutorId} ${name} ${hash}`;
    const known = this.#cache.get(key) ?? this.#inProgress.get(key);
    if (known) return known;
    const drawing = this.#draw(tutorId, name, input);
    this.#inProgress.set(key, drawing);
    try {
      const pdf = await drawing;
      this.#cache.set(key, pdf);
      return pdf;
    } finally {
      this.#inProgress.delete(key);
    }
  }

  async #draw(tutorId: string, name: string, input: object): Promise<Buffer> {
    const signal = AbortSignal.timeout(this.#timeLimitMs);
    try {
      const bytes = await this.#runInOrder(tutorId, () => {
        if (this.#pool.queueSize >= MAX_QUEUED) throw busyError();
        return this.#pool.run({ name, input }, { signal }) as Promise<Uint8Array<ArrayBuffer>>;
      });
      return Buffer.from(bytes.buffer);
    } catch (error) {
      throw signal.aborted ? busyError(error) : error;
    }
  }

  /** Waits until the tutor's earlier documents have been rendered. */
  async #runInOrder<Result>(tutorId: string, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(tutorId) ?? { count: 0, last: Promise.resolve() };
    if (queue.count >= MAX_QUEUED_PER_TUTOR) throw busyError();
    this.#queues.set(tutorId, queue);
    queue.count += 1;
    const result = queue.last.then(work);
    queue.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.#queues.delete(tutorId);
    }
  }

  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

const busyError = (cause?: unknown): AppError =>
  new AppError('unavailable', "We couldn't create the PDF in time. Please try again in a minute.", {
    retryAfterSeconds: 60,
    cause,
  });

/** Keeps the most recently used documents, up to a total size. */
class PdfCache {
  // A Map keeps the insertion order, so the first entry is the least recently used.
  readonly #entries = new Map<string, { pdf: Buffer; timer: NodeJS.Timeout }>();
  #bytes = 0;

  get(key: string): Buffer | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.pdf;
  }

  set(key: string, pdf: Buffer): void {
    this.#delete(key);
    const timer = setTimeout(() => this.#delete(key), CACHE_MS).unref();
    this.#entries.set(key, { pdf, timer });
    this.#bytes += pdf.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= CACHE_BYTES) break;
      this.#delete(oldest);
    }
  }

  #delete(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    // Otherwise the timer would keep the document in memory.
    clearTimeout(entry.timer);
    this.#bytes -= entry.pdf.length;
    this.#entries.delete(key);
  }
}
