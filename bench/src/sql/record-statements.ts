import { buildApp } from '@lessonbook/server/src/app.ts';
import { readConfig } from '@lessonbook/server/src/config.ts';
import { createContext } from '@lessonbook/server/src/create-context.ts';
import { HEARTBEAT_SQL } from '@lessonbook/server/src/platform/db/connection-monitor.ts';
import pg from 'pg';
import type { SeededDatabase } from '../databases.ts';
import { NOW } from '../seed/generated-tutor-data.ts';
import { createApiEnvironment } from '../start-api.ts';

/** Placeholder for the idempotency key, which differs from call to call. */
export const RECORDING_IDEMPOTENCY_KEY = 'bench-recording';

export interface Statement {
  text: string;
  values: readonly unknown[];
}

export interface Recording {
  statements: Statement[];
  body: unknown;
}

export interface Recorder {
  /** Makes one call to the app and returns its statements in order and the response body. */
  record: (call: Call) => Promise<Recording>;
  /** Statements that are still planned on every call, because PostgreSQL estimates a higher cost for their generic plan. */
  findCustomPlannedStatements: () => Promise<string[]>;
  stop: () => Promise<void>;
}

interface Call {
  method?: 'GET' | 'POST';
  path: string;
  token: string;
  body?: object;
}

/** PostgreSQL makes five custom plans for a prepared statement before it considers a generic one. */
const MAX_CUSTOM_PLANS = 5;

/** Runs the app in this process with a fixed clock and records the statements sent to the database. */
export async function startRecorder(db: SeededDatabase): Promise<Recorder> {
  let recorded: Statement[] | undefined;
  const clients = new Set<pg.Client>();
  const original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  function recordQuery(this: pg.Client, ...args: unknown[]): unknown {
    const [query] = args as [string | { text: string; values?: unknown[] }];
    // The heartbeat may run during a request, but is not part of it.
    if (query === HEARTBEAT_SQL) return Reflect.apply(original, this, args);
    if (typeof query === 'string') recorded?.push({ text: query, values: [] });
    else recorded?.push({ text: query.text, values: query.values ?? [] });
    if (recorded) clients.add(this);
    return Reflect.apply(original, this, args);
  }
  Reflect.set(pg.Client.prototype, 'query', recordQuery);

  const config = readConfig(createApiEnvironment(db, 1));
  const { context, close } = await createContext(config, 'api', { now: () => new Date(NOW) });
  const http = await buildApp(context);

  return {
    record: async ({ method = 'GET', path, token, body }) => {
      recorded = [];
      const response = await http.fastify.inject({
        method,
        url: path,
        cookies: { [config.cookie.name]: token },
        headers: { origin: config.origin, 'idempotency-key': RECORDING_IDEMPOTENCY_KEY },
        ...(body ? { payload: body } : {}),
      });
      const statements = recorded;
      recorded = undefined;
      if (response.statusCode >= 300) {
        throw new Error(`${method} ${path} returned ${response.statusCode}: ${response.body}`);
      }
      return { statements, body: response.json() as unknown };
    },
    findCustomPlannedStatements: async () => {
      const found = new Set<string>();
      for (const client of clients) {
        const { rows } = await client.query<{ statement: string }>(
          'select statement from pg_prepared_statements where generic_plans = 0 and custom_plans > $1',
          [MAX_CUSTOM_PLANS],
        );
        for (const { statement } of rows) found.add(statement);
      }
      return [...found];
    },
    stop: async () => {
      Reflect.set(pg.Client.prototype, 'query', original);
      await http.stop();
      await close();
    },
  };
}
