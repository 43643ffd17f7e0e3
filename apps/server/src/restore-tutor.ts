import { parseArgs } from 'node:util';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';
import { RestoreError, restoreTutor } from './domains/restore/service/restore-tutor.ts';

/**
 * One tutor's book from a restored copy into the living database: `npm run restore:tutor -- ada`, with
 * RESTORED_DATABASE_URL (the copy) and DATABASE_MAINTENANCE_URL (the living one). `--replace` for a tutor who is there,
 * `--rehearse` to see what it would do.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    replace: { type: 'boolean', default: false },
    rehearse: { type: 'boolean', default: false },
  },
});
const [account] = positionals;
if (account === undefined) throw new Error('Say who: a user name or an address');
const source = new pg.Client(readDatabaseUrl('RESTORED_DATABASE_URL'));
const target = new pg.Client(readDatabaseUrl('DATABASE_MAINTENANCE_URL'));
await source.connect();
await target.connect();
try {
  const { tutorId, rows, erasedSince } = await restoreTutor(source, target, account, values);
  for (const [table, count] of Object.entries(rows))
    if (count > 0) process.stdout.write(`${String(count).padStart(8)}  ${table}\n`);
  if (erasedSince.length > 0)
    process.stdout.write(`\nERASED SINCE, erase again in the app: ${erasedSince.join(', ')}\n`);
  process.stdout.write(
    values.rehearse
      ? `\nNothing was changed (tutor ${tutorId}).\n`
      : `\nTutor ${tutorId} is back.\n`,
  );
} catch (error) {
  if (!(error instanceof RestoreError)) throw error;
  process.stderr.write(`REFUSED: ${error.message}\n`);
  process.exitCode = 1;
} finally {
  await source.end();
  await target.end();
}
