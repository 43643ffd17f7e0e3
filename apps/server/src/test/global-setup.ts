import { startPostgres } from '@lessonbook/test-env/postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../migrate.ts';
import { provisionDatabase } from '../provision-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
  }
}

/** All test files share one PostgreSQL server, with a migrated template database that each file copies. */
export const TEMPLATE = 'lessonbook_template';
export const PASSWORD = 'only-for-tests';

const SETTINGS = [
  // With hundreds of databases, autovacuum would start several times a second. Tests that need statistics run ANALYZE.
  'autovacuum=off',
  'checkpoint_timeout=1h',
  'max_wal_size=4GB',
  // Apps open many connections, and computing 4096 hashes for each on both sides takes time.
  'scram_iterations=1',
];

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres({ settings: SETTINGS });
  const urls = await provisionDatabase(postgres.adminUrl, {
    database: TEMPLATE,
    password: PASSWORD,
  });
  await migrate(urls.ownerUrl);
  project.provide('adminUrl', postgres.adminUrl);
  return postgres.stop;
}
