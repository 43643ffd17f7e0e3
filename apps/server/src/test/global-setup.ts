import { startPostgres } from '@lessonbook/stage/postgres';
import type { TestProject } from 'vitest/node';
import { migrate } from '../migrate.ts';
import { provision } from '../provision.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminUrl: string;
  }
}

/** One PostgreSQL for all test files, with a migrated template that each file copies. */
export const TEMPLATE = 'lessonbook_template';
export const PASSWORD = 'only-for-tests';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  const urls = await provision(postgres.adminUrl, { database: TEMPLATE, password: PASSWORD });
  await migrate(urls.ownerUrl);
  project.provide('adminUrl', postgres.adminUrl);
  return postgres.stop;
}
