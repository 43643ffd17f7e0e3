import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Postgres, startPostgres } from '@lessonbook/test-env/postgres';
import { getPostgresSystemAccount } from '@lessonbook/test-env/postgres-system-account';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ConnectionMonitor } from '../platform/db/connection-monitor.ts';
import { Database } from '../platform/db/database.ts';
import { provisionDatabase } from '../provision-database.ts';
import { createSelfSignedCertificate } from '../test/self-signed-certificate.ts';

/* The set-up described in docs/security/deployment.md: the application's role uses a certificate instead of a password. */

const PG_HBA = `hostssl all lessonbook_app 127.0.0.1/32 cert
host all postgres 127.0.0.1/32 scram-sha-256
`;

let folder: string;
let postgres: Postgres;
let appUrl: string;

const fileIn = (name: string) => join(folder, name);
function writeFile(name: string, text: string): void {
  writeFileSync(fileIn(name), text, { mode: 0o600 });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lessonbook-certificates-'));
  const server = createSelfSignedCertificate();
  const client = createSelfSignedCertificate('lessonbook_app');
  writeFile('server.key', server.key);
  writeFile('server.crt', server.cert);
  writeFile('app.key', client.key);
  writeFile('app.crt', client.cert);
  writeFile('pg_hba.conf', PG_HBA);
  const account = getPostgresSystemAccount();
  chmodSync(folder, 0o755);
  if (account)
    for (const name of ['server.key', 'server.crt', 'app.crt', 'pg_hba.conf'])
      chownSync(fileIn(name), account.uid, account.gid);
  postgres = await startPostgres({
    settings: [
      'ssl=on',
      `ssl_cert_file=${fileIn('server.crt')}`,
      `ssl_key_file=${fileIn('server.key')}`,
      `ssl_ca_file=${fileIn('app.crt')}`,
      `hba_file=${fileIn('pg_hba.conf')}`,
    ],
  });
  ({ appUrl } = await provisionDatabase(postgres.adminUrl, {
    database: 'lessonbook',
    password: 'password',
  }));
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

async function ping(url: string): Promise<void> {
  const monitor = new ConnectionMonitor(url, () => undefined);
  const db = new Database(monitor.clientConfig, { max: 1, onError: () => undefined });
  try {
    await db.ping();
  } finally {
    await db.close();
    await monitor.stop();
  }
}

test('[V13.2.1] the application can log in to the database with a certificate instead of a password', async () => {
  const url = new URL(appUrl);
  url.hostname = 'localhost';
  url.searchParams.set('sslmode', 'verify-full');
  url.searchParams.set('sslrootcert', fileIn('server.crt'));
  await expect(ping(url.href)).rejects.toThrow();
  url.password = '';
  url.searchParams.set('sslcert', fileIn('app.crt'));
  url.searchParams.set('sslkey', fileIn('app.key'));
  await ping(url.href);
});
