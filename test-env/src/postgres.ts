import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sendToReaper } from './child-reaper.ts';
import { freePort } from './free-port.ts';
import {
  type Cluster,
  hasExited,
  initialise,
  launchServer,
  SUPERUSER,
} from './postgres-cluster.ts';

export interface PostgresOptions {
  /** Keep every promise about a crash, as in production; off it is several times faster. */
  durable?: boolean;
  /** Keep the data here; otherwise it lives in a temporary directory and goes with `stop()`. */
  dataDir?: string;
  /** A free one when left out. Given again after a crash, clients find the server where it was. */
  port?: number;
  /** Folder of other PostgreSQL programs, such as Debian's; those from npm when left out. */
  binDir?: string;
  /** More settings, as `name=value`. */
  settings?: readonly string[];
}

export interface Postgres {
  /** Connection of the superuser to the database `postgres`. */
  adminUrl: string;
  /** Of the server's main process; not known for a server that we did not start. */
  pid: number | undefined;
  kill: (signal: NodeJS.Signals) => void;
  /** Ends once a killed server's main process is gone. */
  exited: () => Promise<void>;
  /** A killed server comes back on its data, at the same address; returns once it takes connections. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a PostgreSQL server, or uses the one that `DATABASE_ADMIN_URL` names. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const given = process.env['DATABASE_ADMIN_URL'];
  if (given) return externalServer(given);

  const temporary = options.dataDir === undefined;
  const dataDir = resolve(options.dataDir ?? join(temporaryDirectory(), 'data'));
  mkdirSync(dirname(dataDir), { recursive: true });
  if (temporary) sendToReaper({ remove: dirname(dataDir) });

  const cluster: Cluster = {
    dataDir,
    logFile: `${dataDir}.log`,
    port: options.port ?? (await freePort()),
    durable: options.durable ?? false,
    binDir: options.binDir,
    settings: options.settings ?? [],
  };
  await initialise(cluster);
  let server = await launchTracked(cluster);

  return {
    adminUrl: `postgres://${SUPERUSER.name}:${SUPERUSER.password}@127.0.0.1:${cluster.port}/postgres`,
    get pid() {
      return server.pid;
    },
    kill: (signal) => void server.kill(signal),
    exited: () => waitForExit(server),
    restart: async () => {
      sendToReaper({ untrack: server.pid as number });
      server = await launchTracked(cluster);
    },
    stop: async () => {
      await stopServer(server);
      sendToReaper({ untrack: server.pid as number });
      if (temporary) rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/** SIGINT asks PostgreSQL for a fast and clean end: roll back, disconnect everybody, shut down. */
async function launchTracked(cluster: Cluster): Promise<ChildProcess> {
  const server = await launchServer(cluster);
  sendToReaper({ track: { pid: server.pid as number, signal: 'SIGINT' } });
  return server;
}

function externalServer(adminUrl: string): Postgres {
  const notOurs = () => {
    throw new Error('The server of DATABASE_ADMIN_URL is not ours to kill');
  };
  return {
    adminUrl,
    pid: undefined,
    kill: notOurs,
    exited: notOurs,
    restart: notOurs,
    stop: () => Promise.resolve(),
  };
}

function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'lessonbook-postgres-'));
  // PostgreSQL may run under an account of its own, which must be able to pass through.
  chmodSync(path, 0o755);
  return path;
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (!hasExited(server)) server.kill('SIGINT');
  await waitForExit(server);
}

async function waitForExit(server: ChildProcess): Promise<void> {
  if (hasExited(server)) return;
  server.ref();
  await once(server, 'exit');
}
