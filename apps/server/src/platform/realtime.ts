import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from './db/database.ts';
import type { Log } from './observability/log.ts';

const CHANNEL = 'tutor_updates';
const RECONNECT_MS = 1_000;

/** Notifies a tutor's subscribers in all processes when the transaction commits. */
export async function notifyTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${tutorId})`.execute(tx);
}

/**
 * Forwards PostgreSQL notifications to the subscribers in this process. Uses one dedicated connection, opened for the
 * first subscriber. All subscribers are notified after a reconnect, because notifications may have been missed.
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

  /** Returns an unsubscribe function. */
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
    client.on('error', (error) => this.#log.warn({ err: error }, 'LISTEN connection lost'));
    client.on('end', () => this.#scheduleReconnect());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      for (const tutorId of this.#listeners.keys()) this.#notify(tutorId);
    } catch (error) {
      this.#log.warn({ err: error }, 'could not open the LISTEN connection');
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
