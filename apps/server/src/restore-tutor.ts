import { parseArgs } from 'node:util';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';
import { RestoreError, restoreTutor } from './domains/restore/service/restore-tutor.ts';

/**
 * Copies one tutor's data from a restored backup into the live database: `npm run restore:tutor -- ada`, with
 * RESTORED_DATABASE_URL (the backup) and DATABASE_MAINTENANCE_URL (the live database). `--replace` overwrites an
 * existing tutor; `--dry-run` shows what would happen.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replace: { type: 'boolean', default: false },
    'dry-run': { type: 'boolean', default: false },
  },
});
const [account] = positionals;
if (account === undefined) throw new Error('Usage: restore:tutor <username or email address>');
const source = new pg.Client(readDatabaseUrl('RESTORED_DATABASE_URL'));
const target = new pg.Client(readDatabaseUrl('DATABASE_MAINTENANCE_URL'));
await source.connect();
await target.connect();
try {
  const { replace, 'dry-run': dryRun } = values;
  const { tutorId, rows, erasedSince } = await restoreTutor(source, target, account, {
    replace,
    dryRun,
  });
  for (const [table, count] of Object.entries(rows))
    if (count > 0) process.stdout.write(`${String(count).padStart(8)}  ${table}\n`);
  if (erasedSince.length > 0)
    process.stdout.write(
      `\nErased after the backup was taken; erase again in the app: ${erasedSince.join(', ')}\n`,
    );
  process.stdout.write(
    dryRun ? `\nNothing was changed (tutor ${tutorId}).\n` : `\nTutor ${tutorId} was restored.\n`,
  );
} catch (error) {
  if (!(error instanceof RestoreError)) throw error;
  process.stderr.write(`Not restored: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await source.end();
  await target.end();
}
