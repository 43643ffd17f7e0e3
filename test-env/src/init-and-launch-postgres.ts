import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { START_TIMEOUT_MS } from '@lessonbook/fakes/shared/test-timeouts';
import { findPostgresBinaries } from './postgres-binaries.ts';
import { getPostgresSystemAccount, type SystemAccount } from './postgres-system-account.ts';
import { waitUntil } from './wait-until.ts';

/** A test value: the server listens on localhost only and holds test data. */
export const SUPERUSER = { name: 'postgres', password: 'postgres' };

const NON_DURABLE_SETTINGS = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off'];
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  // All servers on the machine share the default socket directory.
  'unix_socket_directories=',
  'max_connections=200',
  'timezone=UTC',
  'jit=off',
];

export interface Cluster {
  dataDir: string;
  logFile: string;
  port: number;
  durable: boolean;
  /** Folder that contains initdb and postgres; undefined means the npm package's programs. */
  binDir: string | undefined;
  settings: readonly string[];
}

const findBinaries = async ({ binDir }: Cluster) =>
  binDir === undefined
    ? findPostgresBinaries()
    : { initdb: join(binDir, 'initdb'), postgres: join(binDir, 'postgres') };

/** Creates the data directory if it does not exist. */
export async function initializeDataDirectory(cluster: Cluster): Promise<void> {
  if (existsSync(join(cluster.dataDir, 'PG_VERSION'))) return;

  const { initdb } = await findBinaries(cluster);
  const account = getPostgresSystemAccount();
  mkdirSync(cluster.dataDir, { recursive: true, mode: 0o700 });
  chownTo(account, cluster.dataDir);

  const passwordFile = `${cluster.dataDir}.password`;
  writeFileSync(passwordFile, `${SUPERUSER.password}\n`);
  chownTo(account, passwordFile);
  try {
    await promisify(execFile)(
      initdb,
      [
        `--pgdata=${cluster.dataDir}`,
        `--username=${SUPERUSER.name}`,
        `--pwfile=${passwordFile}`,
        '--auth=scram-sha-256',
        '--encoding=UTF8',
        '--locale=C.UTF-8',
        ...(cluster.durable ? ['--data-checksums'] : ['--no-sync']),
      ],
      { ...account, cwd: '/' },
    );
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

const ATTEMPTS = 50;
const RETRY_MS = 200;

/** Starts the server on its data directory and returns when it accepts connections. */
export async function launchServer(cluster: Cluster): Promise<ChildProcess> {
  await stopLeftoverServer(cluster.dataDir);

  // After a SIGKILL, the server's children may hold shared memory for a moment,
  // and a new server refuses to start until they have exited.
  for (let attempt = 1; ; attempt += 1) {
    const server = await spawnServer(cluster);
    await waitUntil(
      () => hasExited(server) || isReady(cluster.dataDir, server.pid),
      () => `PostgreSQL is not ready:\n${readLogTail(cluster)}`,
      START_TIMEOUT_MS,
    );
    if (!hasExited(server)) return server;
    if (attempt === ATTEMPTS) throw new Error(`PostgreSQL did not start:\n${readLogTail(cluster)}`);
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_MS);
    });
  }
}

export function hasExited(server: ChildProcess): boolean {
  return server.exitCode !== null || server.signalCode !== null;
}

async function spawnServer(cluster: Cluster): Promise<ChildProcess> {
  const { postgres } = await findBinaries(cluster);
  const settings = [
    ...SETTINGS,
    ...(cluster.durable ? [] : NON_DURABLE_SETTINGS),
    ...cluster.settings,
  ];
  const log = openSync(cluster.logFile, 'a');
  const server = spawn(
    postgres,
    [
      '-D',
      cluster.dataDir,
      '-p',
      String(cluster.port),
      ...settings.flatMap((each) => ['-c', each]),
    ],
    // Detached, so that Ctrl-C does not stop the database while other processes are still shutting down.
    { ...getPostgresSystemAccount(), cwd: '/', stdio: ['ignore', log, log], detached: true },
  );
  closeSync(log);
  server.unref();
  return server;
}

/** Stops a server from an earlier run that is still using this data directory. */
async function stopLeftoverServer(dataDir: string): Promise<void> {
  const pid = Number(readStatusLines(dataDir)[0]);
  if (!pid || !isServerRunning(dataDir, pid)) return;
  process.kill(pid, 'SIGINT');
  await waitUntil(
    () => !isServerRunning(dataDir, pid),
    () => `A PostgreSQL left over from an earlier run (process ${pid}) did not stop`,
  );
}

function isServerRunning(dataDir: string, pid: number): boolean {
  try {
    // The process id alone is not enough: it may have been reused since.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
  } catch {
    return false;
  }
}

function isReady(dataDir: string, pid: number | undefined): boolean {
  const lines = readStatusLines(dataDir);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/** PostgreSQL writes its process id on line 1 and its state on line 8 of this file. */
function readStatusLines(dataDir: string): string[] {
  try {
    return readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function readLogTail(cluster: Cluster): string {
  return existsSync(cluster.logFile)
    ? readFileSync(cluster.logFile, 'utf8').slice(-2_000)
    : '(no log)';
}

function chownTo(account: SystemAccount | undefined, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}
