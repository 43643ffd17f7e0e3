import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from './db.ts';
import type { Log } from './log.ts';

const CHANNEL = 'realtime';
const RECONNECT_MS = 1_000;

/** Says to whoever listens, in any process, that a tutor has news; heard only once the transaction is real. */
export async function tellNews(tx: Tx, tutorId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${tutorId})`.execute(tx);
}

/**
 * Hears of news for the tutors whose browsers are open here, over one connection of its own that is opened with the first of
 * them. When the connection was lost everybody is told to look, since something may have been missed.
 */
export class News {
  readonly #url: string;
  readonly #log: Log;
  readonly #ears = new Map<string, Set<() => void>>();
  #client: pg.Client | undefined;
  #stopped = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Calls back at each piece of news until the returned function is called. */
  hear(tutorId: string, callback: () => void): () => void {
    const ears = this.#ears.get(tutorId) ?? new Set();
    ears.add(callback);
    this.#ears.set(tutorId, ears);
    if (!this.#client) void this.#connect();
    return () => {
      ears.delete(callback);
      if (ears.size === 0) this.#ears.delete(tutorId);
    };
  }

  /** How many browsers of a tutor listen here. */
  listening(tutorId: string): number {
    return this.#ears.get(tutorId)?.size ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url });
    this.#client = client;
    client.on('notification', ({ payload }) => this.#tell(payload ?? ''));
    client.on('error', (error) => this.#log.warn({ err: error }, 'the news connection was lost'));
    client.on('end', () => this.#again());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      for (const tutorId of this.#ears.keys()) this.#tell(tutorId);
    } catch (error) {
      this.#log.warn({ err: error }, 'the news connection could not be opened');
      await client.end().catch(() => undefined);
      this.#again();
    }
  }

  #again(): void {
    if (this.#stopped || !this.#client) return;
    this.#client = undefined;
    setTimeout(() => {
      if (!this.#stopped && !this.#client && this.#ears.size > 0) void this.#connect();
    }, RECONNECT_MS).unref();
  }

  #tell(tutorId: string): void {
    for (const callback of this.#ears.get(tutorId) ?? []) callback();
  }
}
