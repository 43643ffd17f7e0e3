import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { findFreePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';
import { startProcess } from './processes.ts';
import { waitUntil } from './wait-until.ts';

// These tests start their own servers, even if an external one is configured.
vi.stubEnv('DATABASE_ADMIN_URL', '');

const folder = mkdtempSync(join(tmpdir(), 'lessonbook-test-env-'));
// PostgreSQL may run under another account, which needs access to the folder.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function queryValue(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' });
    return (rows[0] as unknown[] | undefined)?.[0];
  } finally {
    await client.end();
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

test('starts a server without fsync and removes its data on stop', async () => {
  const postgres = await startPostgres();
  expect(await queryValue(postgres.adminUrl, 'show server_version')).toMatch(/^18\./);
  expect(await queryValue(postgres.adminUrl, 'show fsync')).toBe('off');
  const dataDir = String(await queryValue(postgres.adminUrl, 'show data_directory'));

  await postgres.stop();
  expect(isAlive(postgres.pid as number)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

test('keeps durable data after a SIGKILL and starts again on the same port', async () => {
  const options = { dataDir: join(folder, 'data'), durable: true, port: await findFreePort() };
  const first = await startPostgres(options);
  expect(await queryValue(first.adminUrl, 'show fsync')).toBe('on');
  await queryValue(first.adminUrl, 'create table saved as select 42 as value');
  first.kill('SIGKILL');

  const second = await startPostgres(options);
  expect(second.adminUrl).toBe(first.adminUrl);
  expect(await queryValue(second.adminUrl, 'select value from saved')).toBe(42);
  await first.stop();
  await second.stop();
  expect(readdirSync(folder)).toContain('data');
});

test('restarts a killed server with its data at the same address', async () => {
  const postgres = await startPostgres({ durable: true });
  await queryValue(postgres.adminUrl, 'create table saved as select 42 as value');
  const before = postgres.pid;
  postgres.kill('SIGKILL');
  await postgres.exited();
  await postgres.restart();
  expect(postgres.pid).not.toBe(before);
  expect(await queryValue(postgres.adminUrl, 'select value from saved')).toBe(42);
  await postgres.stop();
  expect(isAlive(postgres.pid as number)).toBe(false);
});

test('stops the server and removes its data when the parent process is killed', async () => {
  const file = join(folder, 'parent.ts');
  const module = new URL('./postgres.ts', import.meta.url).pathname;
  writeFileSync(
    file,
    `import { startPostgres } from '${module}';
     const postgres = await startPostgres();
     console.log('started ' + postgres.pid + ' ' + postgres.adminUrl);
     setInterval(() => {}, 1_000);`,
  );
  const parent = startProcess('parent', file, {});
  const line = await parent.waitForLine(/^started /);
  const [, pid = '', adminUrl = ''] = line.split(' ');
  const dataDir = String(await queryValue(adminUrl, 'show data_directory'));
  expect(isAlive(Number(pid))).toBe(true);

  parent.kill('SIGKILL');
  await waitUntil(
    () => !isAlive(Number(pid)) && !existsSync(dataDir),
    () => 'PostgreSQL is still running',
  );
});

test('uses the server at DATABASE_ADMIN_URL and does not stop it', async () => {
  const ownServer = await startPostgres();
  vi.stubEnv('DATABASE_ADMIN_URL', ownServer.adminUrl);
  const external = await startPostgres();
  expect(external).toMatchObject({ adminUrl: ownServer.adminUrl, pid: undefined });
  expect(() => external.kill('SIGKILL')).toThrow(/was not started by this process/);
  await external.stop();
  expect(await queryValue(ownServer.adminUrl, 'select 1')).toBe(1);
  vi.stubEnv('DATABASE_ADMIN_URL', '');
  await ownServer.stop();
});
