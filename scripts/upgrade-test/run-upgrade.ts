import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findViolations } from '@lessonbook/server/src/invariants.ts';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { type DatabaseUrls, provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { checkOutCommit } from '@lessonbook/test-env/check-out-commit';
import { sendToReaper } from '@lessonbook/test-env/child-reaper';
import { findFreePort } from '@lessonbook/test-env/free-port';
import { type StartedProcess, startProcess } from '@lessonbook/test-env/processes';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { waitUntilReady } from '@lessonbook/test-env/wait-until-ready';
import pg from 'pg';
import { NEEDS_STOP } from '../migration-lint/project-rules.ts';
import { MIGRATIONS_FOLDER, type PreviousVersion } from './find-previous-version.ts';
import { type Load, startLoad } from './load.ts';
import { compareReplies, readEverything, seedTutors } from './seed-and-compare-replies.ts';

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

/**
 * Fills a database with an old server, migrates it, and returns the replies of the new server that differ from those of
 * the old one, apart from fields that have been added since.
 */
export async function findChangedReplies(
  root: string,
  commit: string,
  adminUrl: string,
): Promise<{ replyCount: number; differences: string[]; violationCount: number }> {
  const oldRoot = mkdtempSync(join(tmpdir(), 'lessonbook-upgrade-'));
  sendToReaper({ remove: oldRoot });
  const running: StartedProcess[] = [];
  try {
    checkOutCommit(root, commit, oldRoot);
    const urls = await createMigratedDatabase(adminUrl, oldRoot);
    const port = await findFreePort();
    const origin = `http://127.0.0.1:${port}`;
    const SECRET_KEY = randomBytes(32).toString('base64');
    const startServer = async (folder: string) => {
      const file = join(folder, 'apps/server/src/api.ts');
      const env = { ...environment(urls, origin, port), SECRET_KEY };
      const started = startProcess(`api in ${folder}`, file, env, { cwd: folder });
      running.push(started);
      await waitUntilReady(started, origin);
      return started;
    };
    const old = await startServer(oldRoot);
    const tutors = await seedTutors(origin);
    const before = await readEverything(tutors);
    old.kill('SIGTERM');
    await old.exited;
    await migrate(urls.ownerUrl);
    await startServer(root);
    const differences = compareReplies(before, await readEverything(tutors));
    const violationCount = await countViolations(urls);
    return { replyCount: before.size, differences, violationCount };
  } finally {
    for (const each of running) {
      each.kill('SIGTERM');
      await each.exited;
    }
    rmSync(oldRoot, { recursive: true, force: true });
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

/**
 * Migrates the schema under load while the old server runs, starts the new server next to it and stops the old one. If
 * a migration needs the servers to be stopped, the old one is stopped first, and the load pauses until the new one is
 * ready.
 */
export async function runUpgrade(upgrade: UpgradeOptions): Promise<UpgradeOutcome> {
  const { adminUrl, oldRoot, newRoot, ms } = upgrade;
  const urls = await createCopyOfMigratedDatabase(adminUrl, oldRoot);
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
    /** Waits for at least `ms`, or longer on a slow machine, until enough requests have been made. */
    const waitUnderLoad = async () => {
      const target = load.requests + MIN_REQUESTS;
      await sleep(ms);
      await waitUntil(
        () => load.requests >= target,
        () => 'the load generator is not making progress',
      );
    };
    await waitUnderLoad();
    load.startMeasuring();
    const migrateToNew = () =>
      migrate(urls.ownerUrl, upgrade.migrationsFolder ? { folder: upgrade.migrationsFolder } : {});
    const newUrl = `http://127.0.0.1:${ports[1]}`;
    let applied: string[];
    if (newRoot !== undefined && needsStop(oldRoot, newRoot)) {
      await load.pause();
      await stopServer(old, load);
      applied = await migrateToNew();
      running.push(await startServer(newRoot, ports[1]));
      load.sendTo([newUrl]);
      load.resume();
      await waitUnderLoad();
      await waitUnderLoad();
      await load.stop();
      return { ...load, applied, violationCount: await countViolations(urls) };
    }
    applied = await migrateToNew();
    await waitUnderLoad();
    if (newRoot !== undefined) {
      running.push(await startServer(newRoot, ports[1]));
      load.sendTo([origin, newUrl]);
      await waitUnderLoad();
      // Removes the old server as a proxy would: no new requests, then SIGTERM, which lets requests in flight finish.
      load.sendTo([newUrl]);
      await stopServer(old, load);
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

/** Whether a migration that the old version does not have needs the servers to be stopped. */
function needsStop(oldRoot: string, newRoot: string): boolean {
  const known = new Set(readdirSync(join(oldRoot, MIGRATIONS_FOLDER)));
  return readdirSync(join(newRoot, MIGRATIONS_FOLDER))
    .filter((name) => !known.has(name))
    .some((name) =>
      readFileSync(join(newRoot, MIGRATIONS_FOLDER, name), 'utf8').startsWith(NEEDS_STOP),
    );
}

async function stopServer(server: StartedProcess, load: Load): Promise<void> {
  server.kill('SIGTERM');
  const exit = await server.exited;
  if (exit.code !== 0) load.failures.push(`the old server exited with ${JSON.stringify(exit)}`);
}

const templates = new Map<string, Promise<string>>();

/** Copies a database that is migrated only once per source folder, because running all migrations takes several seconds. */
async function createCopyOfMigratedDatabase(adminUrl: string, root: string): Promise<DatabaseUrls> {
  const key = `${adminUrl} ${root}`;
  const template =
    templates.get(key) ??
    createMigratedDatabase(adminUrl, root).then(({ ownerUrl }) =>
      new URL(ownerUrl).pathname.slice(1),
    );
  templates.set(key, template);
  return provisionDatabase(adminUrl, {
    database: newDatabaseName(),
    template: await template,
    password: PASSWORD,
  });
}

async function createMigratedDatabase(adminUrl: string, root: string): Promise<DatabaseUrls> {
  const urls = await provisionDatabase(adminUrl, {
    database: newDatabaseName(),
    password: PASSWORD,
  });
  await migrateFrom(root, urls);
  return urls;
}

const PASSWORD = 'lessonbook';
const newDatabaseName = () => `upgrade_${randomBytes(6).toString('hex')}`;

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
    // No worker runs, so no email is sent.
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
