import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { freePort } from './free-port.ts';
import { startPostgres } from './postgres.ts';
import { startProcess } from './processes.ts';
import { waitUntil } from './wait-until.ts';

// These tests are about servers of our own, also on a machine that offers another one.
vi.stubEnv('DATABASE_ADMIN_URL', '');

const folder = mkdtempSync(join(tmpdir(), 'lessonbook-stage-test-'));
// PostgreSQL may run under an account of its own.
chmodSync(folder, 0o755);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function ask(url: string, sql: string): Promise<unknown> {
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

test('starts a fast server that leaves nothing behind', async () => {
  const postgres = await startPostgres();
  expect(await ask(postgres.adminUrl, 'show server_version')).toMatch(/^18\./);
  expect(await ask(postgres.adminUrl, 'show fsync')).toBe('off');
  const dataDir = String(await ask(postgres.adminUrl, 'show data_directory'));

  await postgres.stop();
  expect(isAlive(postgres.pid as number)).toBe(false);
  expect(existsSync(dataDir)).toBe(false);
});

test('keeps durable data through a SIGKILL and comes back on the same port', async () => {
  const options = { dataDir: join(folder, 'data'), durable: true, port: await freePort() };
  const first = await startPostgres(options);
  expect(await ask(first.adminUrl, 'show fsync')).toBe('on');
  await ask(first.adminUrl, 'create table kept as select 42 as answer');
  first.kill('SIGKILL');

  const second = await startPostgres(options);
  expect(second.adminUrl).toBe(first.adminUrl);
  expect(await ask(second.adminUrl, 'select answer from kept')).toBe(42);
  await first.stop();
  await second.stop();
  expect(readdirSync(folder)).toContain('data');
});

test('restarts on its data at the same address after a kill', async () => {
  const postgres = await startPostgres({ durable: true });
  await ask(postgres.adminUrl, 'create table kept as select 42 as answer');
  const before = postgres.pid;
  postgres.kill('SIGKILL');
  await postgres.exited();
  await postgres.restart();
  expect(postgres.pid).not.toBe(before);
  expect(await ask(postgres.adminUrl, 'select answer from kept')).toBe(42);
  await postgres.stop();
  expect(isAlive(postgres.pid as number)).toBe(false);
});

test('a server does not outlive a starter that was killed', async () => {
  const file = join(folder, 'starter.ts');
  const module = new URL('./postgres.ts', import.meta.url).pathname;
  writeFileSync(
    file,
    `import { startPostgres } from '${module}';
     const postgres = await startPostgres();
     console.log('started ' + postgres.pid + ' ' + postgres.adminUrl);
     setInterval(() => {}, 1_000);`,
  );
  const starter = startProcess('starter', file, {});
  const line = await starter.waitForLine(/^started /);
  const [, pid = '', adminUrl = ''] = line.split(' ');
  const dataDir = String(await ask(adminUrl, 'show data_directory'));
  expect(isAlive(Number(pid))).toBe(true);

  starter.kill('SIGKILL');
  await waitUntil(
    () => !isAlive(Number(pid)) && !existsSync(dataDir),
    () => 'PostgreSQL is still there',
  );
});

test('a server that is given is used, and left running', async () => {
  const own = await startPostgres();
  vi.stubEnv('DATABASE_ADMIN_URL', own.adminUrl);
  const given = await startPostgres();
  expect(given).toMatchObject({ adminUrl: own.adminUrl, pid: undefined });
  expect(() => given.kill('SIGKILL')).toThrow(/not ours/);
  await given.stop();
  expect(await ask(own.adminUrl, 'select 1')).toBe(1);
  vi.stubEnv('DATABASE_ADMIN_URL', '');
  await own.stop();
});
