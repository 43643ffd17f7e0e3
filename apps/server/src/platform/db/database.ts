import { createHash } from 'node:crypto';
import {
  type Compilable,
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type RawBuilder,
  Transaction,
} from 'kysely';
import pg from 'pg';
import { pipelineAll } from './pipeline.ts';
import { acquireConnection, updatePoolMetrics } from './pool-metrics.ts';
import type { DB } from './schema.ts';
import { typeParsers } from './type-parsers.ts';

/** Queries take one of these: it runs statements inside an open transaction. */
export type Tx = Transaction<DB>;

/** A statement written out by hand, in the form of a built one: readTutor can send it along, a transaction can run it. */
export const rawQuery = <Row>(tx: Tx, statement: RawBuilder<Row>) => ({
  compile: (): CompiledQuery<Row> => statement.compile(tx),
  execute: async (): Promise<Row[]> => (await statement.execute(tx)).rows,
});
type RowsOf<Q extends readonly Compilable[]> = {
  [K in keyof Q]: Q[K] extends Compilable<infer Row> ? Row[] : never;
};

const SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY';
const DEADLOCK = '40P01';
const MAX_ATTEMPTS = 4;

/** A named statement is planned once for each connection; planning an unnamed one costs more than running it. */
const statementNames = new Map<string, string>();
function statementName(sql: string): string {
  let name = statementNames.get(sql);
  if (name === undefined) {
    name = createHash('sha1').update(sql).digest('base64url');
    statementNames.set(sql, name);
  }
  return name;
}

const sendQuery = (client: pg.PoolClient, query: CompiledQuery): Promise<pg.QueryResult> =>
  client.query({ name: statementName(query.sql), text: query.sql, values: [...query.parameters] });

/** What is sent from here until all that is ready has run leaves as one write: a write costs more than its statement. */
function batchWrites(client: pg.PoolClient): void {
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

class PooledConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  constructor(client: pg.PoolClient) {
    this.client = client;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    batchWrites(this.client);
    const result = await sendQuery(this.client, query);
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }
  // oxlint-disable-next-line require-yield -- Kysely's interface wants it; lists here are never that long.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not used');
  }
}

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();
const dialect = {
  createAdapter: () => adapter,
  createDriver: () => new DummyDriver(),
  createQueryCompiler: () => compiler,
  createIntrospector: (db: never) => new PostgresIntrospector(db),
};

/** Kysely on a connection that somebody else begins and ends: its own transaction() would wait for BEGIN's answer. */
function createTransaction(provider: ConnectionProvider): Tx {
  return new Transaction<DB>({
    config: { dialect },
    driver: new DummyDriver(),
    dialect,
    executor: new DefaultQueryExecutor(compiler, adapter, provider),
  });
}

/** Which client stands behind a transaction: the queue writes its job over the same one. */
const clients = new WeakMap<Tx, pg.ClientBase>();
export function pgClientOf(tx: Tx): pg.ClientBase {
  const client = clients.get(tx);
  if (!client) throw new Error('This is not an open transaction');
  return client;
}

export class Database {
  readonly #pool: pg.Pool;
  /** Single statements on the few global tables: login_directory, logins, tokens, tenant_schedule, limits. */
  readonly global: Tx;

  constructor(url: string, options: { max: number; onError: (error: Error) => void }) {
    this.#pool = new pg.Pool({
      connectionString: url,
      max: options.max,
      pipeline: true,
      types: typeParsers,
      connectionTimeoutMillis: 5_000,
      options: [
        '-c statement_timeout=15s',
        '-c idle_in_transaction_session_timeout=30s',
        '-c lock_timeout=10s',
        // Every statement begins with the tutor's key, so one plan fits all; planning anew costs more than running.
        '-c plan_cache_mode=force_generic_plan',
      ].join(' '),
    });
    // An idle connection that dies is replaced by the pool; without a listener it would end the process.
    this.#pool.on('error', options.onError);
    // One that is lent out fails the query of whoever has it; without a listener it would end the process too.
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
          client.release(isDatabaseError(failure) ? undefined : true);
        }
      },
    });
  }

  /** A transaction on the global tables only: tenant tables refuse every row in it. */
  globalTransaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(() => [], work);
  }

  /**
   * The only way to change a tutor's rows. It takes the tutor's lock first, by raising the revision, so two
   * changes of one tutor's book never run side by side and never deadlock.
   */
  tutorTransaction<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(
      (client) => [
        setTenant(client, tutorId),
        client
          .query({
            name: 'lock-tutor',
            text: 'update tutors set revision = revision + 1 where tutor_id = $1',
            values: [tutorId],
          })
          .then((result) => {
            if (result.rowCount !== 1) throw new Error('No such tutor');
          }),
      ],
      work,
    );
  }

  /** As withTutor, for the transaction that makes the tutor. */
  newTutorTransaction<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.tutorTransactionUnlocked(tutorId, work);
  }

  /** For notes about what a vendor has: the book stays as it is, so nobody's lock is waited for and the revision stays. */
  tutorTransactionUnlocked<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction((client) => [setTenant(client, tutorId)], work);
  }

  /** Reads that depend on one another, all of the book as it was at one moment; changes nothing and waits for nobody. */
  tutorSnapshot<T>(tutorId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(
      (client) => [client.query(SNAPSHOT), setTenant(client, tutorId)],
      work,
    );
  }

  /** Reads only: BEGIN, the reads and COMMIT leave together and cost one round trip. */
  async tutorRead<const Q extends readonly Compilable[]>(
    tutorId: string,
    build: (tx: Tx) => Q,
  ): Promise<RowsOf<Q>> {
    const queries = build(queryBuilder).map((query) => query.compile());
    const client = await acquireConnection(this.#pool);
    let failure: unknown;
    try {
      batchWrites(client);
      const results = await pipelineAll([
        client.query('BEGIN READ ONLY'),
        setTenant(client, tutorId),
        ...queries.map((query) => sendQuery(client, query)),
        client.query('COMMIT'),
      ]);
      assertCommitted(results.at(-1) as pg.QueryResult);
      return results.slice(2, -1).map((answer) => (answer as pg.QueryResult).rows) as RowsOf<Q>;
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isDatabaseError(failure) ? undefined : true);
    }
  }

  /** For the operator's figures, at the moment they are asked for. */
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
    opening: (client: pg.PoolClient) => Promise<unknown>[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(opening, work);
      } catch (error) {
        // The database picked this transaction as the victim; nothing of it remains, so it may run again.
        const retry = (error as { code?: string }).code === DEADLOCK && attempt < MAX_ATTEMPTS;
        if (!retry) throw error;
      }
    }
  }

  async #attempt<T>(
    opening: (client: pg.PoolClient) => Promise<unknown>[],
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const client = await acquireConnection(this.#pool);
    const connection = new PooledConnection(client);
    // Kysely's own provider would let each statement wait for the answer to the last.
    const tx = createTransaction({ provideConnection: (consumer) => consumer(connection) });
    clients.set(tx, client);
    let broken = true;
    try {
      batchWrites(client);
      const opened = pipelineAll([client.query('BEGIN'), ...opening(client)]);
      // Handled here as well: if `work` fails first, nobody would be waiting for `opened`.
      opened.catch(() => undefined);
      try {
        const result = await work(tx);
        await opened;
        assertCommitted(await client.query('COMMIT'));
        broken = false;
        return result;
      } catch (error) {
        const cause = await opened.then(
          () => error,
          (first: unknown) => first,
        );
        // A dead connection cannot be rolled back; what it died of is what the caller must hear.
        broken = !(await client.query('ROLLBACK').catch(() => null));
        throw cause;
      }
    } finally {
      clients.delete(tx);
      client.release(broken);
    }
  }
}

/** Builds statements for readTutor; it has no connection and runs none. */
const queryBuilder = createTransaction({
  provideConnection: () => Promise.reject(new Error('readTutor sends the statements itself')),
});

const setTenant = (client: pg.ClientBase, tutorId: string): Promise<unknown> =>
  client.query({
    name: 'enter-tutor',
    text: "select set_config('app.tutor_id', $1, true)",
    values: [tutorId],
  });

/** A statement that failed inside a pipeline turns COMMIT into ROLLBACK without an error. */
function assertCommitted(result: pg.QueryResult): void {
  if (result.command !== 'COMMIT') throw new Error('The transaction was rolled back');
}

/** An answer with an SQLSTATE leaves the connection usable; anything else means it may be broken. */
function isDatabaseError(failure: unknown): boolean {
  return failure === undefined || failure instanceof pg.DatabaseError;
}
