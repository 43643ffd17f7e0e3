import { buildApp } from '@lessonbook/server/src/app.ts';
import { createContext } from '@lessonbook/server/src/bootstrap.ts';
import { readConfig } from '@lessonbook/server/src/config.ts';
import pg from 'pg';
import { apiEnvironment } from '../api.ts';
import type { SeededDatabase } from '../databases.ts';
import { NOW } from '../seed/tutor-data.ts';

/** Stands for a key that differs from call to call. */
export const CAPTURE_KEY = 'bench-capture';

export interface Statement {
  text: string;
  values: readonly unknown[];
}

export interface Recording {
  statements: Statement[];
  body: unknown;
}

export interface Recorder {
  /** Makes one call to the app and tells which statements it sent, in order, and what it answered. */
  record: (call: Call) => Promise<Recording>;
  /** Statements that were sent often and are still planned for each time: their general plan looks too dear. */
  customPlanned: () => Promise<string[]>;
  stop: () => Promise<void>;
}

interface Call {
  method?: 'GET' | 'POST';
  path: string;
  token: string;
  body?: object;
}

/** PostgreSQL plans a named statement for its parameters five times before it thinks about a plan for all. */
const TRIES = 5;

/** The app itself, in this process, with an ear on its database connections. Its clock stands still. */
export async function startRecorder(db: SeededDatabase): Promise<Recorder> {
  let heard: Statement[] | undefined;
  const clients = new Set<pg.Client>();
  const original = Reflect.get(pg.Client.prototype, 'query') as (...args: unknown[]) => unknown;
  function listen(this: pg.Client, ...args: unknown[]): unknown {
    const [query] = args as [string | { text: string; values?: unknown[] }];
    if (typeof query === 'string') heard?.push({ text: query, values: [] });
    else heard?.push({ text: query.text, values: query.values ?? [] });
    if (heard) clients.add(this);
    return Reflect.apply(original, this, args);
  }
  Reflect.set(pg.Client.prototype, 'query', listen);

  const config = readConfig(apiEnvironment(db, 1));
  const { context, close } = await createContext(config, 'api', { now: () => new Date(NOW) });
  const http = await buildApp(context);

  return {
    record: async ({ method = 'GET', path, token, body }) => {
      heard = [];
      const reply = await http.fastify.inject({
        method,
        url: path,
        cookies: { [config.cookie.name]: token },
        headers: { origin: config.origin, 'idempotency-key': CAPTURE_KEY },
        ...(body ? { payload: body } : {}),
      });
      const statements = heard;
      heard = undefined;
      if (reply.statusCode >= 300) {
        throw new Error(`${method} ${path} answered ${reply.statusCode}: ${reply.body}`);
      }
      return { statements, body: reply.json() as unknown };
    },
    customPlanned: async () => {
      const found = new Set<string>();
      for (const client of clients) {
        const { rows } = await client.query<{ statement: string }>(
          'select statement from pg_prepared_statements where generic_plans = 0 and custom_plans > $1',
          [TRIES],
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
