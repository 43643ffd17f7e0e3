import type { Compilable, CompiledQuery, RawBuilder, Transaction } from 'kysely';
import pg from 'pg';
import { traceTransaction } from '../observability/tracing.ts';
import { pipelineAll } from './await-pipelined-statements.ts';
import { assertCommitted, commit } from './checked-commit.ts';
import { SESSION_OPTIONS, typeParsers } from './client-settings.ts';
import { isConnectionUsable, isReadOnlyServer } from './database-unavailable-errors.ts';
import { batchWrites, createTransaction, PooledConnection, sendQuery } from './kysely-adapter.ts';
import { acquireConnection, updatePoolMetrics } from './pool-metrics.ts';
import type { DB } from './schema.ts';
import {
  type ContactPrincipal,
  lockTutor,
  setContact,
  setTenantForRead,
  setTenantForWrite,
} from './set-transaction-principal.ts';
import { createTutorLimits, type TutorLimits } from './tutor-concurrency-limit.ts';

/** An open transaction; every query function takes one. */
export type Tx = Transaction<DB>;

/** Wraps hand-written SQL as a query that tutorRead can send and a transaction can run. */
export const queryFromSql = <Row>(tx: Tx, statement: RawBuilder<Row>) => ({
  compile: (): CompiledQuery<Row> => statement.compile(tx),
  execute: async (): Promise<Row[]> => (await statement.execute(tx)).rows,
});
type RowsOf<Q extends readonly Compilable[]> = {
  [K in keyof Q]: Q[K] extends Compilable<infer Row> ? Row[] : never;
};

const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
const SET_SNAPSHOT_ISOLATION = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';
const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 4;

/** A request that gets no connection fails within five seconds. */
const CONNECTION_TIMEOUT_MS = 4_000;
/** The pg client of each open transaction, so that the queue can insert jobs over the same connection. */
const clients = new WeakMap<Tx, pg.ClientBase>();
export function pgClientOf(tx: Tx): pg.ClientBase {
  const client = clients.get(tx);
  if (!client) throw new Error('The transaction is not open');
  return client;
}

const afterCommitCallbacks = new WeakMap<Tx, (() => void)[]>();

/** Calls `callback` after the transaction has been committed, and never if it is rolled back. */
export function afterCommit(tx: Tx, callback: () => void): void {
  const callbacks = afterCommitCallbacks.get(tx) ?? [];
  afterCommitCallbacks.set(tx, callbacks);
  callbacks.push(callback);
}

/** Called after each commit that has increased a tutor's revision. */
type OnTutorChanged = (tutorId: string, revision: number) => void;

export class Database {
  readonly #pool: pg.Pool;
  readonly #limits: TutorLimits;
  readonly #onTutorChanged: OnTutorChanged | undefined;
  readonly #isWorker: boolean;
  /** For single statements on the few global tables: login_directory, logins, tokens, tenant_schedule, limits. */
  readonly global: Tx;

  constructor(
    clientConfig: pg.ClientConfig,
    options: {
      max: number;
      onError: (error: Error) => void;
      onTutorChanged?: OnTutorChanged;
      isWorker?: boolean;
    },
  ) {
    this.#isWorker = options.isWorker ?? false;
    this.#onTutorChanged = options.onTutorChanged;
    this.#limits = createTutorLimits(options.max);
    this.#pool = new pg.Pool({
      ...clientConfig,
      max: options.max,
      pipeline: true,
      types: typeParsers,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      options: `${clientConfig.options ?? ''} ${SESSION_OPTIONS}`,
    });
    // The pool replaces idle connections that fail; without a listener the error would end the process.
    this.#pool.on('error', options.onError);
    // If a connection in use fails, its query rejects; without a listener the error would end the process too.
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.global = createTransaction({
      provideConnection: async (consumer) => {
        const client = await acquireConnection(this.#pool);
        let failure: unknown;
        try {
          return await consumer(new PooledConnection(client));
        } catch (error) {
          failure = error;
          throw error;
        } finally {
          client.release(isConnectionUsable(failure) ? undefined : true);
        }
      },
    });
  }

  /** A transaction on the global tables only; row-level security hides all tenant rows. */
  globalTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return traceTransaction('globalTransaction', () => this.#transaction(() => [], work));
  }

  /**
   * For all changes to a tutor's data, except where tutorTransactionUnlocked is enough. First increments the revision, which
   * locks the tutor's row, so these transactions for one tutor never run concurrently or deadlock with each other.
   */
  tutorTransaction<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const run = async () => {
      let revision = 0;
      const lock = async (client: pg.ClientBase) => {
        revision = await lockTutor(client, tutorId);
      };
      const preamble = (client: pg.ClientBase) => [
        setTenantForWrite(client, tutorId, this.#isWorker),
        lock(client),
      ];
      const result = await this.#transaction(preamble, work);
      this.#onTutorChanged?.(tutorId, revision);
      return result;
    };
    return traceTransaction('tutorTransaction', () => this.#limits.writes.run(tutorId, run));
  }

  /** Like tutorTransaction, but for the transaction that creates the tutor. */
  newTutorTransaction<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tutorTransactionUnlocked(tutorId, work);
  }

  /**
   * For vendor bookkeeping and for marking notifications as read. No other data shown on screen depends on it, so it needs
   * neither the lock nor a new revision.
   */
  tutorTransactionUnlocked<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const preamble = (client: pg.ClientBase) => [
      setTenantForWrite(client, tutorId, this.#isWorker),
    ];
    const run = () => this.#transaction(preamble, work);
    return traceTransaction('tutorTransactionUnlocked', () =>
      this.#limits.unlocked.run(tutorId, run),
    );
  }

  /** For reads that depend on each other: one consistent snapshot, without locks. */
  tutorSnapshot<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    const preamble = (client: pg.ClientBase) => [
      client.query(SET_SNAPSHOT_ISOLATION),
      setTenantForRead(client, tutorId),
    ];
    const run = () => this.#transaction(preamble, work);
    return traceTransaction('tutorSnapshot', () => this.#limits.reads.run(tutorId, run));
  }

  /** For reads of a whole account, which take seconds if it is large: one at a time for each tutor. */
  wholeAccountSnapshot<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#limits.wholeAccountReads.run(tutorId, () => this.tutorSnapshot(tutorId, work));
  }

  /** For independent reads: BEGIN, the reads and COMMIT are sent together in one round trip and see one snapshot. */
  async tutorRead<const Q extends readonly Compilable[]>(
    tutorId: string,
    build: (tx: Tx) => Q,
  ): Promise<RowsOf<Q>> {
    const queries = build(queryBuilder).map((query) => query.compile());
    const run = () => this.#read((client) => setTenantForRead(client, tutorId), queries);
    const results = await traceTransaction('tutorRead', () => this.#limits.reads.run(tutorId, run));
    return results.map(({ rows }) => rows) as RowsOf<Q>;
  }

  async #read(
    setPrincipal: (client: pg.ClientBase) => Promise<unknown>,
    queries: readonly CompiledQuery[],
  ): Promise<pg.QueryResult[]> {
    const client = await acquireConnection(this.#pool);
    let failure: unknown;
    try {
      batchWrites(client);
      const results = await pipelineAll([
        // Several statements see one snapshot.
        client.query(queries.length > 1 ? BEGIN_SNAPSHOT : 'BEGIN READ ONLY'),
        setPrincipal(client),
        ...queries.map((query) => sendQuery(client, query)),
        client.query('COMMIT'),
      ]);
      assertCommitted(results.at(-1) as pg.QueryResult);
      return results.slice(2, -1) as pg.QueryResult[];
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isConnectionUsable(failure) ? undefined : true);
    }
  }

  /**
   * Like tutorRead, for a contact who is signed in to the family portal: the role may read only the portal's views, which
   * show what this contact is allowed to see.
   */
  async contactRead<const Q extends readonly Compilable[]>(
    contact: ContactPrincipal,
    build: (tx: Tx) => Q,
  ): Promise<RowsOf<Q>> {
    const queries = build(queryBuilder).map((query) => query.compile());
    const run = () => this.#read((client) => setContact(client, contact), queries);
    const results = await traceTransaction('contactRead', () =>
      this.#limits.reads.run(contact.tutorId, run),
    );
    return results.map(({ rows }) => rows) as RowsOf<Q>;
  }

  updateMetrics(): void {
    updatePoolMetrics(this.#pool);
  }

  async ping(): Promise<void> {
    await this.#pool.query('select 1');
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #transaction<T>(
    sendPreamble: (client: pg.PoolClient) => Promise<unknown>[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(sendPreamble, work);
      } catch (error) {
        // PostgreSQL rolled this transaction back to resolve a deadlock, so it can be retried.
        const canRetry = (error as { code?: string }).code === DEADLOCK && attempt < MAX_ATTEMPTS;
        if (!canRetry) throw error;
      }
    }
  }

  async #attempt<T>(
    sendPreamble: (client: pg.PoolClient) => Promise<unknown>[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const client = await acquireConnection(this.#pool);
    const connection = new PooledConnection(client);
    // Kysely's own provider waits for the result of each statement before sending the next.
    const tx = createTransaction({ provideConnection: (consumer) => consumer(connection) });
    clients.set(tx, client);
    let broken = true;
    let committed = false;
    try {
      batchWrites(client);
      const preamble = pipelineAll([client.query('BEGIN'), ...sendPreamble(client)]);
      // If `work` fails first, `preamble` could become an unhandled rejection.
      preamble.catch(() => undefined);
      try {
        const result = await work(tx);
        await preamble;
        await commit(client);
        broken = false;
        committed = true;
        return result;
      } catch (error) {
        const cause = await preamble.then(
          () => error,
          (first: unknown) => first,
        );
        // A failed connection cannot be rolled back, so the original error is thrown.
        const isRolledBack = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        broken = !isRolledBack || isReadOnlyServer(cause);
        throw cause;
      }
    } finally {
      clients.delete(tx);
      client.release(broken);
      if (committed) for (const callback of afterCommitCallbacks.get(tx) ?? []) callback();
    }
  }
}

/** Builds statements for tutorRead; it has no connection and cannot run them. */
const queryBuilder = createTransaction({
  provideConnection: () => Promise.reject(new Error('tutorRead sends the statements itself')),
});
