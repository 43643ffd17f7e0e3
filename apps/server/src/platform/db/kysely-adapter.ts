import { createHash } from 'node:crypto';
import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  Transaction,
} from 'kysely';
import type pg from 'pg';
import { traceOperation } from '../observability/tracing.ts';
import type { DB } from './schema.ts';

/** Named statements are planned once per connection; planning an unnamed statement costs more than executing it. */
const statements = new Map<string, { name: string; summary: string }>();
function describeStatement(sql: string) {
  let statement = statements.get(sql);
  if (statement === undefined) {
    const name = createHash('sha1').update(sql).digest('base64url');
    statement = { name, summary: summarizeStatement(sql) };
    statements.set(sql, statement);
  }
  return statement;
}

/** Such as "select students": the command and the first table. */
function summarizeStatement(sql: string): string {
  const [command = ''] = /\w+/.exec(sql) ?? [];
  const [, table = ''] = /\b(?:from|into|update)\s+"?(\w+)/i.exec(sql) ?? [];
  return `${command.toLowerCase()} ${table}`.trim();
}

export function sendQuery(client: pg.PoolClient, query: CompiledQuery): Promise<pg.QueryResult> {
  const { name, summary } = describeStatement(query.sql);
  return traceOperation({ kind: 'statement', summary, statementName: name }, () =>
    client.query({ name, text: query.sql, values: [...query.parameters] }),
  );
}

/** Sends all statements issued in this tick in a single socket write, because a write costs more than a statement. */
export function batchWrites(client: pg.PoolClient): void {
  const { stream } = client.connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** Connections with a statement or a batch in progress. */
const busyClients = new WeakSet<pg.PoolClient>();

/**
 * Rejects a second statement while one is in progress, because the order of the two would depend on which promise happens
 * to run first.
 */
export async function runExclusively<T>(client: pg.PoolClient, send: () => Promise<T>): Promise<T> {
  if (busyClients.has(client)) {
    throw new Error('A statement was started before the previous one ended; use executeBatch');
  }
  busyClients.add(client);
  try {
    return await send();
  } finally {
    busyClients.delete(client);
  }
}

export class PooledConnection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  constructor(client: pg.PoolClient) {
    this.client = client;
  }
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await runExclusively(this.client, () => {
      batchWrites(this.client);
      return sendQuery(this.client, query);
    });
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }
  // oxlint-disable-next-line require-yield -- required by Kysely's interface; long lists use streamRows instead.
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

/**
 * Creates a Kysely transaction on a connection where the caller sends BEGIN and COMMIT; Kysely's own transaction()
 * waits for the result of BEGIN.
 */
export function createTransaction(provider: ConnectionProvider): Transaction<DB> {
  return new Transaction<DB>({
    config: { dialect },
    driver: new DummyDriver(),
    dialect,
    executor: new DefaultQueryExecutor(compiler, adapter, provider),
  });
}
