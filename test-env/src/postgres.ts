import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sendToReaper } from './child-reaper.ts';
import { findFreePort } from './free-port.ts';
import {
  type Cluster,
  hasExited,
  initializeDataDirectory,
  launchServer,
  SUPERUSER,
} from './init-and-launch-postgres.ts';

export interface PostgresOptions {
  /** Production durability settings; without them the server is several times faster. */
  durable?: boolean;
  /** Keeps the data here; by default it is in a temporary directory that `stop()` removes. */
  dataDir?: string;
  /** Defaults to a free port. Pass the same port after a crash so that clients can reconnect. */
  port?: number;
  /** Directory with the PostgreSQL binaries, such as Debian's; defaults to that of the npm package. */
  binDir?: string;
  /** Additional settings, as `name=value`. */
  settings?: readonly string[];
}

export interface Postgres {
  /** Superuser connection URL for the `postgres` database. */
  adminUrl: string;
  /** Id of the server's main process; undefined for an external server. */
  pid: number | undefined;
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves when the main process of a killed server has exited. */
  exited: () => Promise<void>;
  /** Starts a killed server again with its data and address; returns when it accepts connections. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Starts a PostgreSQL server, or uses the one at `DATABASE_ADMIN_URL`. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const externalUrl = process.env['DATABASE_ADMIN_URL'];
  if (externalUrl) return createExternalServerHandle(externalUrl);

  const isTemporary = options.dataDir === undefined;
  const dataDir = resolve(options.dataDir ?? join(createTemporaryDirectory(), 'data'));
  mkdirSync(dirname(dataDir), { recursive: true });
  if (isTemporary) sendToReaper({ remove: dirname(dataDir) });

  const cluster: Cluster = {
    dataDir,
    logFile: `${dataDir}.log`,
    port: options.port ?? (await findFreePort()),
    durable: options.durable ?? false,
    binDir: options.binDir,
    settings: options.settings ?? [],
  };
  await initializeDataDirectory(cluster);
  let server = await launchTrackedServer(cluster);

  return {
    adminUrl: `postgres://${SUPERUSER.name}:${SUPERUSER.password}@127.0.0.1:${cluster.port}/postgres`,
    get pid() {
      return server.pid;
    },
    kill: (signal) => void server.kill(signal),
    exited: () => waitForExit(server),
    restart: async () => {
      sendToReaper({ untrack: server.pid as number });
      server = await launchTrackedServer(cluster);
    },
    stop: async () => {
      await stopServer(server);
      sendToReaper({ untrack: server.pid as number });
      if (isTemporary) rmSync(dirname(dataDir), { recursive: true, force: true });
    },
  };
}

/** The reaper sends SIGINT, which makes PostgreSQL roll back, disconnect all clients and exit cleanly. */
async function launchTrackedServer(cluster: Cluster): Promise<ChildProcess> {
  const server = await launchServer(cluster);
  sendToReaper({ track: { pid: server.pid as number, signal: 'SIGINT' } });
  return server;
}

export function createExternalServerHandle(adminUrl: string): Postgres {
  const throwNotControllable = () => {
    throw new Error(
      'The server at DATABASE_ADMIN_URL was not started by this process and cannot be killed or restarted',
    );
  };
  return {
    adminUrl,
    pid: undefined,
    kill: throwNotControllable,
    exited: throwNotControllable,
    restart: throwNotControllable,
    stop: () => Promise.resolve(),
  };
}

function createTemporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'lessonbook-postgres-'));
  // PostgreSQL may run under another account, which needs access to this directory.
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
