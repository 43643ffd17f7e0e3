import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Postgres, startPostgres } from '@lessonbook/test-env/postgres';
import pg from 'pg';

export const repositoryRoot = fileURLToPath(new URL('../../', import.meta.url));
export const cacheFolder = join(repositoryRoot, '.cache/bench');

const GB = 2 ** 30;
const memoryShare = (share: number, maxGigabytes: number): string =>
  `${Math.max(1, Math.min(maxGigabytes, Math.floor((totalmem() * share) / GB)))}GB`;

/** Production settings for a machine of this size. Durability stays on, which is the default. */
const SETTINGS: Record<string, string> = {
  shared_buffers: memoryShare(0.25, 8),
  effective_cache_size: memoryShare(0.6, 64),
  max_wal_size: '4GB',
  checkpoint_timeout: '15min',
  maintenance_work_mem: '1GB',
};

/** A durable PostgreSQL for benchmarks; its data is kept in the cache folder between runs. */
export async function startPostgresServer(): Promise<Postgres> {
  // Other users of an external server would distort the results.
  delete process.env['DATABASE_ADMIN_URL'];
  mkdirSync(cacheFolder, { recursive: true });
  const options = { durable: true, dataDir: join(cacheFolder, 'postgres') };
  const first = await startPostgres(options);
  if (await applySettings(first.adminUrl)) return first;
  await first.stop();
  return startPostgres(options);
}

/** Returns true if the server is already running with these settings; otherwise writes them for its next start. */
async function applySettings(adminUrl: string): Promise<boolean> {
  return withClient(adminUrl, async (client) => {
    let isApplied = true;
    for (const [name, value] of Object.entries(SETTINGS)) {
      const { rows } = await client.query<{ same: boolean }>(
        `select current_setting($1) = $2 as same`,
        [name, value],
      );
      if (rows[0]?.same) continue;
      isApplied = false;
      await client.query(`alter system set ${name} = '${value}'`);
    }
    return isApplied;
  });
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

export function withDatabase(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

export const describeSettings = (): string =>
  `shared_buffers ${SETTINGS['shared_buffers']}, fsync and synchronous_commit on`;
