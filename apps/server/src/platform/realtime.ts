import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from './db/database.ts';
import type { Log } from './observability/log.ts';

const CHANNEL = 'realtime';
const RECONNECT_MS = 1_000;

/** Says to whoever listens, in any process, that a tutor has news; heard only once the transaction is real. */
export async function notifyTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${tutorId})`.execute(tx);
}

/**
 * Hears of news for the tutors whose browsers are open here, over one connection of its own that is opened with the first of
 * them. When the connection was lost everybody is told to look, since something may have been missed.
 */
export class Realtime {
  readonly #url: string;
  readonly #log: Log;
  readonly #listeners = new Map<string, Set<() => void>>();
  #client: pg.Client | undefined;
  #stopped = false;

  constructor(url: string, log: Log) {
    this.#url = url;
    this.#log = log;
  }

  /** Calls back at each piece of news until the returned function is called. */
  subscribe(tutorId: string, callback: () => void): () => void {
    const listeners = this.#listeners.get(tutorId) ?? new Set();
    listeners.add(callback);
    this.#listeners.set(tutorId, listeners);
    if (!this.#client) void this.#connect();
    return () => {
      listeners.delete(callback);
      if (listeners.size === 0) this.#listeners.delete(tutorId);
    };
  }

  /** How many browsers of a tutor listen here. */
  subscriberCount(tutorId: string): number {
    return this.#listeners.get(tutorId)?.size ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#url });
    this.#client = client;
    client.on('notification', ({ payload }) => this.#notify(payload ?? ''));
    client.on('error', (error) => this.#log.warn({ err: error }, 'the news connection was lost'));
    client.on('end', () => this.#scheduleReconnect());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      for (const tutorId of this.#listeners.keys()) this.#notify(tutorId);
    } catch (error) {
      this.#log.warn({ err: error }, 'the news connection could not be opened');
      await client.end().catch(() => undefined);
      this.#scheduleReconnect();
    }
  }

  #scheduleReconnect(): void {
    if (this.#stopped || !this.#client) return;
    this.#client = undefined;
    setTimeout(() => {
      if (!this.#stopped && !this.#client && this.#listeners.size > 0) void this.#connect();
    }, RECONNECT_MS).unref();
  }

  #notify(tutorId: string): void {
    for (const callback of this.#listeners.get(tutorId) ?? []) callback();
  }
}
