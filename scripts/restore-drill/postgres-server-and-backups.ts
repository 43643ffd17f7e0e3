import { type ChildProcess, execFile, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sendToReaper } from '@lessonbook/test-env/child-reaper';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { startPostgres } from '@lessonbook/test-env/postgres';
import { getPostgresSystemAccount } from '@lessonbook/test-env/postgres-system-account';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';

const BACKUP_ROLE = { name: 'lessonbook_backup', password: 'backup' };
const backupScripts = fileURLToPath(new URL('../../deploy/backup/', import.meta.url));

/** Creates a folder for one test run; the reaper removes it when this process ends. */
export function createScenarioFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-restore-'));
  sendToReaper({ remove: folder });
  // PostgreSQL and the scripts may run as another user, who has no access to this repository.
  chmodSync(folder, 0o755);
  cpSync(backupScripts, join(folder, 'scripts'), { recursive: true });
  for (const name of ['.', 'scripts']) giveToPostgresUser(join(folder, name));
  return folder;
}

function giveToPostgresUser(path: string): void {
  const account = getPostgresSystemAccount();
  if (account) chownSync(path, account.uid, account.gid);
}

export interface PostgresServer {
  port: number;
  adminUrl: string;
  dataDir: string;
  binDir: string;
}

/** Starts a server from Debian's binaries with the production durability settings, and creates the backup role. */
export async function startServer(
  folder: string,
  binDir: string,
  settings: readonly string[] = [],
): Promise<PostgresServer> {
  const [dataDir, port] = [join(folder, 'data'), await findFreePort()];
  const { adminUrl } = await startPostgres({ dataDir, port, binDir, settings, durable: true });
  // Set in the file that restored servers also read, because no server may create sockets in the shared default folder.
  appendFileSync(join(dataDir, 'postgresql.conf'), `unix_socket_directories = ''\n`);
  await runQuery(
    adminUrl,
    `create role ${BACKUP_ROLE.name} login replication password '${BACKUP_ROLE.password}'`,
  );
  return { port, adminUrl, dataDir, binDir };
}

export async function runQuery<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs the scripts in deploy/backup on one backup folder, as an operator would. */
export class Backups {
  readonly folder: string;
  readonly #scripts: string;
  readonly #environment: Record<string, string>;
  #streaming: ChildProcess | undefined;

  constructor(scenarioFolder: string, server: PostgresServer, name = 'backup') {
    this.folder = join(scenarioFolder, name);
    this.#scripts = join(scenarioFolder, 'scripts');
    this.#environment = {
      PATH: process.env['PATH'] ?? '',
      BACKUP_DIR: this.folder,
      PG_BIN: server.binDir,
      PGHOST: '127.0.0.1',
      PGPORT: String(server.port),
      PGUSER: BACKUP_ROLE.name,
      PGPASSWORD: BACKUP_ROLE.password,
    };
    mkdirSync(this.folder);
    giveToPostgresUser(this.folder);
  }

  /** Returns stdout; throws with stderr when the script fails. */
  async runScript(script: string, ...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)(join(this.#scripts, script), args, {
      ...getPostgresSystemAccount(),
      cwd: '/',
      env: this.#environment,
    });
    return stdout;
  }

  async startStreaming(server: PostgresServer): Promise<void> {
    const streaming = spawn(join(this.#scripts, 'stream-wal.sh'), {
      ...getPostgresSystemAccount(),
      cwd: '/',
      env: this.#environment,
      stdio: 'ignore',
    });
    this.#streaming = streaming;
    sendToReaper({ track: { pid: streaming.pid as number, signal: 'SIGTERM' } });
    await waitUntil(
      async () =>
        (await runQuery(server.adminUrl, `select 1 from pg_replication_slots where active`))
          .length > 0,
      () => 'No receiver is connected to the WAL stream',
    );
  }

  async stopStreaming(): Promise<void> {
    const streaming = this.#streaming;
    if (!streaming || streaming.exitCode !== null || streaming.signalCode !== null) return;
    const ended = new Promise((resolve) => {
      streaming.once('exit', resolve);
    });
    streaming.kill('SIGTERM');
    await ended;
    sendToReaper({ untrack: streaming.pid as number });
  }

  /** WAL segments received in full, oldest first. */
  walSegments(): string[] {
    return readdirSync(join(this.folder, 'wal'))
      .filter((name) => /^[\dA-F]{24}$/.test(name))
      .toSorted();
  }

  baseBackups(): string[] {
    return readdirSync(join(this.folder, 'base')).toSorted();
  }

  /** Restores into a new folder and returns the server that runs there. */
  async restore(
    server: PostgresServer,
    when: string,
    name: string,
    port: number,
  ): Promise<PostgresServer> {
    const dataDir = join(server.dataDir, '..', name);
    await this.runScript('restore-to.sh', when, dataDir, String(port));
    sendToReaper({ track: { pid: readPostmasterPid(dataDir), signal: 'SIGINT' } });
    const url = new URL(server.adminUrl);
    url.port = String(port);
    return { ...server, port, dataDir, adminUrl: url.href };
  }
}

function readPostmasterPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Simulates losing the machine: kills all processes and removes the data folder. Returns the time of the loss. */
export function destroyServer({ dataDir }: PostgresServer): number {
  const main = readPostmasterPid(dataDir);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, 'utf8').trim().split(' ');
  const destroyedAt = Date.now();
  for (const pid of [main, ...children.filter(Boolean).map(Number)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // The process has already exited.
    }
  }
  sendToReaper({ untrack: main });
  // Renaming is immediate; the disk space is freed at the end of the run.
  renameSync(dataDir, `${dataDir}-destroyed-${destroyedAt}`);
  return destroyedAt;
}

export async function stopServer({ dataDir }: PostgresServer): Promise<void> {
  if (!existsSync(join(dataDir, 'postmaster.pid'))) return;
  const main = readPostmasterPid(dataDir);
  // Requests an immediate shutdown, because the data is no longer needed.
  process.kill(main, 'SIGQUIT');
  while (existsSync(`/proc/${main}/cmdline`) && existsSync(join(dataDir, 'postmaster.pid')))
    await sleep(20);
  sendToReaper({ untrack: main });
  rmSync(dataDir, { recursive: true, force: true });
}
