import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findViolations } from '@lessonbook/server/src/invariants.ts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { sendToReaper } from '@lessonbook/test-env/child-reaper';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { waitUntilReady } from '@lessonbook/test-env/readiness';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import pg from 'pg';
import { checkOutCommit, type PreviousVersion } from './git-history.ts';
import { startLoad } from './load.ts';

/** Upgrades from the version before the newest migration to the working tree. */
export async function runLastUpgrade(
  root: string,
  before: PreviousVersion,
  adminUrl: string,
  ms: number,
  slowdown = 1,
): Promise<UpgradeOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-upgrade-'));
  sendToReaper({ remove: folder });
  try {
    checkOutCommit(root, before.commit, folder);
    return await runUpgrade({ adminUrl, oldRoot: folder, newRoot: root, ms, slowdown });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface UpgradeOptions {
  adminUrl: string;
  /** Source folders of the old server and of its replacement; without `newRoot` only the schema changes. */
  oldRoot: string;
  newRoot?: string;
  /** Folder with the new migrations; the current one by default. */
  migrationsFolder?: URL;
  /** Minimum duration of each step. */
  ms: number;
  /** How many times slower than an idle machine this one may be; 1 by default. */
  slowdown?: number;
}

export interface UpgradeOutcome {
  applied: string[];
  requests: number;
  failures: string[];
  longestMs: number;
  violationCount: number;
}

/** Minimum number of requests in each step. */
const MIN_REQUESTS = 30;

/** Migrates the schema under load while the old server runs, starts the new server next to it and stops the old one. */
export async function runUpgrade(upgrade: UpgradeOptions): Promise<UpgradeOutcome> {
  const { adminUrl, oldRoot, newRoot, ms } = upgrade;
  const database = `upgrade_${randomBytes(6).toString('hex')}`;
  const urls = await provisionDatabase(adminUrl, { database, password: 'lessonbook' });
  await migrateFrom(oldRoot, urls);
  const ports = [await findFreePort(), await findFreePort()] as const;
  const origin = `http://127.0.0.1:${ports[0]}`;
  const SECRET_KEY = randomBytes(32).toString('base64');
  const startServer = async (root: string, port: number) => {
    const started = startProcess(
      `api in ${root}`,
      join(root, 'apps/server/src/api.ts'),
      { ...environment(urls, origin, port), SECRET_KEY },
      { cwd: root },
    );
    await waitUntilReady(started, `http://127.0.0.1:${port}`);
    return started;
  };

  const running: StartedProcess[] = [];
  try {
    const old = await startServer(oldRoot, ports[0]);
    running.push(old);
    const load = await startLoad(origin, origin, {
      tutors: 4,
      slowdown: upgrade.slowdown ?? 1,
    });
    /** Waits for at least `ms`, and on a slow machine until enough requests are done. */
    const waitUnderLoad = async () => {
      const target = load.requests + MIN_REQUESTS;
      await sleep(ms);
      await waitUntil(
        () => load.requests >= target,
        () => 'the load generator makes no progress',
      );
    };
    await waitUnderLoad();
    load.startMeasuring();
    const applied = await migrate(
      urls.ownerUrl,
      upgrade.migrationsFolder ? { files: upgrade.migrationsFolder } : {},
    );
    await waitUnderLoad();
    if (newRoot !== undefined) {
      running.push(await startServer(newRoot, ports[1]));
      const newUrl = `http://127.0.0.1:${ports[1]}`;
      load.sendTo([origin, newUrl]);
      await waitUnderLoad();
      // Removes the old server as a proxy would: no new requests, then SIGTERM, which lets requests in flight finish.
      load.sendTo([newUrl]);
      old.kill('SIGTERM');
      const exit = await old.exited;
      if (exit.code !== 0) load.failures.push(`the old server exited with ${JSON.stringify(exit)}`);
      await waitUnderLoad();
    }
    await load.stop();
    return { ...load, applied, violationCount: await countViolations(urls) };
  } finally {
    for (const each of running) {
      each.kill('SIGTERM');
      await each.exited;
    }
  }
}

async function migrateFrom(root: string, urls: DatabaseUrls): Promise<void> {
  const file = join(root, 'apps/server/src/migrate.ts');
  const migrating = startProcess(
    'migrate',
    file,
    { DATABASE_OWNER_URL: urls.ownerUrl },
    { cwd: root },
  );
  const { code } = await migrating.exited;
  if (code !== 0) throw new Error(`Migrating to the old schema failed:\n${migrating.output()}`);
}

function environment(urls: DatabaseUrls, origin: string, port: number): Record<string, string> {
  return {
    DATABASE_URL: urls.appUrl,
    APP_URL: origin,
    HOST: '127.0.0.1',
    PORT: String(port),
    // No worker runs, so no mail is sent.
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'Lessonbook <book@lessonbook.example>',
    LOG_LEVEL: 'error',
    // The load logs in more often than a tutor does.
    RATE_LIMIT_FACTOR: '1000',
  };
}

async function countViolations(urls: DatabaseUrls): Promise<number> {
  const client = new pg.Client(urls.maintenanceUrl);
  await client.connect();
  try {
    return (await findViolations(client)).length;
  } finally {
    await client.end();
  }
}
