/**
 * Generates the table types from a newly migrated database. `--verify` only compares the two, so that CI fails when a
 * migration is committed without its types.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { migrate } from '@lessonbook/server/src/migrate.ts';
import { provisionDatabase } from '@lessonbook/server/src/provision-database.ts';
import { startPostgres } from '@lessonbook/test-env/postgres';

const repository = fileURLToPath(new URL('../', import.meta.url));
const verify = process.argv.includes('--verify');

const postgres = await startPostgres();
try {
  const urls = await provisionDatabase(postgres.adminUrl, {
    database: `lessonbook_types_${process.pid}`,
    password: 'lessonbook',
  });
  await migrate(urls.ownerUrl);
  process.exitCode = runCodegen(urls.ownerUrl);
} finally {
  await postgres.stop();
}

function runCodegen(url: string): number {
  const result = spawnSync(
    'node_modules/.bin/kysely-codegen',
    [
      '--dialect=postgres',
      `--url=${url}`,
      '--out-file=apps/server/src/platform/db/schema.ts',
      '--include-pattern=public.*',
      // The driver is configured to return dates as yyyy-MM-dd and bigints as numbers.
      '--date-parser=string',
      '--type-mapping={"int8":"number"}',
      ...(verify ? ['--verify'] : []),
    ],
    { cwd: repository, stdio: 'inherit' },
  );
  if (verify && result.status !== 0) {
    console.error('The table types are out of date: npm run db:types');
  }
  return result.status ?? 1;
}
