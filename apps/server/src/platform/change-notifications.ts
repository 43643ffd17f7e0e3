import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from './db/database.ts';
import type { Log } from './observability/log.ts';

const CHANNEL = 'tutor_updates';
const RECONNECT_MS = 1_000;
const CONNECTION_TIMEOUT_MS = 4_000;
/** After a reconnect, subscribers are notified over this time, so that browsers do not all refetch at once. */
const REFETCH_SPREAD_MS = 20_000;
/** At most 20 notifications per second for each process, however many tutors change something. */
const SEND_INTERVAL_MS = 50;

/** Called with the tutor's new revision; null if something else has changed, or notifications may have been missed. */
type Listener = (revision: number | null) => void;

/**
 * Notifies a tutor's subscribers in all processes of changes, through PostgreSQL. NOTIFY takes a lock that is shared by
 * all databases of the server until its transaction has reached the disk, so it is not part of the transaction of the
 * change: it is sent on its own after the commit, for all tutors together.
 *
 * Uses one dedicated connection to listen, opened for the first subscriber. All subscribers are notified after a
 * reconnect, one after the other, because notifications may have been missed.
 */
export class Realtime {
  readonly #clientConfig: pg.ClientConfig;
  readonly #db: Pick<Database, 'global'>;
  readonly #log: Log;
  readonly #refetchSpreadMs: number;
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #refetchTimers = new Map<Listener, NodeJS.Timeout>();
  #client: pg.Client | undefined;
  #missedNotifications = false;
  #stopped = false;

  /** Changes that have not been sent yet. */
  readonly #changes = new Map<string, number | null>();
  #sending: Promise<void> | undefined;

  constructor(
    clientConfig: pg.ClientConfig,
    db: Pick<Database, 'global'>,
    log: Log,
    refetchSpreadMs = REFETCH_SPREAD_MS,
  ) {
    this.#clientConfig = clientConfig;
    this.#db = db;
    this.#log = log;
    this.#refetchSpreadMs = refetchSpreadMs;
  }

  /** Called after the commit of a change. */
  publish(tutorId: string, revision: number | null): void {
    if (this.#stopped) return;
    const previous = this.#changes.get(tutorId) ?? null;
    this.#changes.set(tutorId, previous === null ? revision : Math.max(previous, revision ?? 0));
    this.#sending ??= this.#sendChanges();
  }

  /** Returns an unsubscribe function. */
  subscribe(tutorId: string, callback: Listener): () => void {
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
    await this.#sending;
    await this.#client?.end().catch(() => undefined);
  }

  async #sendChanges(): Promise<void> {
    // Without the first wait, every change of a burst would be sent on its own.
    await wait(SEND_INTERVAL_MS, undefined, { ref: false });
    const payloads = [...this.#changes].map(([tutorId, revision]) =>
      revision === null ? tutorId : `${tutorId} ${revision}`,
    );
    this.#changes.clear();
    await sql`select pg_notify(${CHANNEL}, payload) from unnest(${payloads}::text[]) as payload`
      .execute(this.#db.global)
      .catch((error) => this.#log.warn({ err: error }, 'could not send change notifications'));
    this.#sending = this.#changes.size > 0 && !this.#stopped ? this.#sendChanges() : undefined;
  }

  async #connect(): Promise<void> {
    const client = new pg.Client({
      ...this.#clientConfig,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    });
    this.#client = client;
    client.on('notification', ({ payload }) => this.#receive(payload ?? ''));
    client.on('error', (error) => this.#log.warn({ err: error }, 'LISTEN connection lost'));
    client.on('end', () => this.#scheduleReconnect());
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
      if (this.#missedNotifications) this.#notifyAllGradually();
      else for (const tutorId of this.#listeners.keys()) this.#notify(tutorId, null);
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
        callback(null);
      };
      const delay = part * (index + randomInt(1_000) / 1_000);
      this.#refetchTimers.set(callback, setTimeout(refetch, delay).unref());
    }
  }

  #cancelRefetch(callback: Listener): void {
    clearTimeout(this.#refetchTimers.get(callback));
    this.#refetchTimers.delete(callback);
  }

  #receive(payload: string): void {
    const [tutorId = '', revision] = payload.split(' ');
    this.#notify(tutorId, revision === undefined ? null : Number(revision));
  }

  #notify(tutorId: string, revision: number | null): void {
    for (const callback of this.#listeners.get(tutorId) ?? []) {
      this.#cancelRefetch(callback);
      callback(revision);
    }
  }
}
