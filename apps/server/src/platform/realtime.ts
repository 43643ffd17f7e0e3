import { randomInt } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import type { Tx } from './db/database.ts';
import type { Log } from './observability/log.ts';

const CHANNEL = 'tutor_updates';
const RECONNECT_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 4_000;
/** After a reconnect, subscribers are notified over this time, so that browsers do not all refetch at once. */
const REFETCH_SPREAD_MS = 20_000;

/** Notifies a tutor's subscribers in all processes when the transaction commits. */
export async function notifyTutor(tx: Tx, tutorId: string): Promise<void> {
  await sql`select pg_notify(${CHANNEL}, ${tutorId})`.execute(tx);
}

/**
 * Forwards PostgreSQL notifications to the subscribers in this process. Uses one dedicated connection, opened for the
 * first subscriber. All subscribers are notified after a reconnect, one after the other, because notifications may have
 * been missed.
 */
export class Realtime {
  readonly #clientConfig: pg.ClientConfig;
  readonly #log: Log;
  readonly #refetchSpreadMs: number;
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #refetchTimers = new Map<() => void, NodeJS.Timeout>();
  #client: pg.Client | undefined;
  #missedNotifications = false;
  #stopped = false;

  constructor(clientConfig: pg.ClientConfig, log: Log, refetchSpreadMs = REFETCH_SPREAD_MS) {
    this.#clientConfig = clientConfig;
    this.#log = log;
    this.#refetchSpreadMs = refetchSpreadMs;
  }

  /** Returns an unsubscribe function. */
  subscribe(tutorId: string, callback: () => void): () => void {
    const listeners = this.#listeners.get(tutorId) ?? new Set();
    listeners.add(callback);
    this.#listeners.set(tutorId, listeners);
    if (!this.#client) void this.#connect();
    return () => {
      listeners.delete(callback);
      this.#cancelRefetch(callback);
      if (listeners.size === 0) this.#listeners.delete(tutorId);
    };
  }

  subscriberCount(tutorId: string): number {
    return this.#listeners.get(tutorId)?.size ?? 0;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const callback of this.#refetchTimers.keys()) this.#cancelRefetch(callback);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#clientConfig,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('notification', ({ payload }) => this.#notify(payload ?? ''));
    client.on('error', (error) => this.#log.warn({ err: error }, 'LISTEN connection lost'));
    client.on('end', () => this.#scheduleReconnect());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.#missedNotifications) this.#notifyAllGradually();
      else for (const tutorId of this.#listeners.keys()) this.#notify(tutorId);
      this.#missedNotifications = false;
    } catch (error) {
      this.#log.warn({ err: error }, 'could not open the LISTEN connection');
      await client.end().catch(() => undefined);
      this.#scheduleReconnect();
    }
  }

  #scheduleReconnect(): void {
    if (this.#stopped || !this.#client) return;
    this.#client = undefined;
    this.#missedNotifications = true;
    setTimeout(() => {
      if (!this.#stopped && !this.#client && this.#listeners.size > 0) void this.#connect();
    }, RECONNECT_MS).unref();
  }

  /** Spreads the callbacks evenly over the interval, with a random offset for each. */
  #notifyAllGradually(): void {
    const callbacks = [...this.#listeners.values()].flatMap((listeners) => [...listeners]);
    const part = this.#refetchSpreadMs / callbacks.length;
    for (const [index, callback] of callbacks.entries()) {
      this.#cancelRefetch(callback);
      const refetch = () => {
        this.#refetchTimers.delete(callback);
        callback();
      };
      const delay = part * (index + randomInt(1_000) / 1_000);
      this.#refetchTimers.set(callback, setTimeout(refetch, delay).unref());
    }
  }

  #cancelRefetch(callback: () => void): void {
    clearTimeout(this.#refetchTimers.get(callback));
    this.#refetchTimers.delete(callback);
  }

  #notify(tutorId: string): void {
    for (const callback of this.#listeners.get(tutorId) ?? []) {
      this.#cancelRefetch(callback);
      callback();
    }
  }
}
