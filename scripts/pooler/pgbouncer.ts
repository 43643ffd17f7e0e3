import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { getPostgresSystemAccount } from '@lessonbook/test-env/postgres-system-account';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';

const shippedConfig = new URL('../../deploy/pgbouncer/pgbouncer.ini', import.meta.url);
/** Prepared statements in transaction mode require at least this version. */
const MIN_VERSION = [1, 21] as const;

/** PGBOUNCER can be set to the path of a newer version than the distribution's. */
const program = process.env['PGBOUNCER'] ?? 'pgbouncer';

function checkVersion(): string {
  const version = /PgBouncer (\d+)\.(\d+)\S*/.exec(
    execFileSync(program, ['--version'], { encoding: 'utf8' }),
  );
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  if (major < MIN_VERSION[0] || (major === MIN_VERSION[0] && minor < MIN_VERSION[1]))
    throw new Error(`${version?.[0]} is too old: set PGBOUNCER to the path of 1.21 or later`);
  return version?.[0] ?? '';
}

/** Replaces a setting in the shipped file; throws if the file does not contain it. */
function replaceSetting(config: string, name: string, value: string): string {
  const line = new RegExp(`^${name} = .*$`, 'm');
  if (!line.test(config)) throw new Error(`pgbouncer.ini has no ${name}`);
  return config.replace(line, `${name} = ${value}`);
}

/** Starts PgBouncer with the shipped configuration, for all databases of a local server. */
export async function startPgBouncer(postgresPort: number, poolSize: number) {
  const version = checkVersion();
  const directory = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  chmodSync(directory, 0o755);
  const userList = join(directory, 'userlist.txt');
  writeFileSync(userList, '"lessonbook_app" "lessonbook"\n', { mode: 0o644 });
  const port = await findFreePort();
  let config = readFileSync(shippedConfig, 'utf8')
    // The test databases have random names.
    .replace('lessonbook = host=127.0.0.1', '* = host=127.0.0.1')
    .replace('port=5432 dbname=lessonbook', `port=${postgresPort}`);
  config = replaceSetting(config, 'listen_port', String(port));
  config = replaceSetting(config, 'auth_file', userList);
  config = replaceSetting(config, 'default_pool_size', String(poolSize));
  const configFile = join(directory, 'pgbouncer.ini');
  writeFileSync(configFile, `${config}stats_users = lessonbook_app\n`, { mode: 0o644 });
  let output = '';
  const child = spawn(program, [configFile], {
    ...getPostgresSystemAccount(),
    cwd: '/',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const exited = new Promise<void>((resolve) => void child.once('close', () => resolve()));
  await waitUntil(
    () => output.includes('process up') || child.exitCode !== null,
    () => `PgBouncer did not start:\n${output}`,
  );
  if (child.exitCode !== null) throw new Error(`PgBouncer did not start:\n${output}`);

  /** The pools' server connections, as reported by the pooler itself. */
  async function countServerConnections(): Promise<number> {
    const console = new pg.Client(
      `postgres://lessonbook_app:lessonbook@127.0.0.1:${port}/pgbouncer`,
    );
    await console.connect();
    try {
      return (await console.query('show servers')).rows.length;
    } finally {
      await console.end();
    }
  }

  return {
    version,
    port,
    countServerConnections,
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
