/**
 * Revokes logins as an operator, for example after an account takeover:
 *   DATABASE_MAINTENANCE_URL=… node apps/server/src/revoke-logins.ts ada@example.com
 *   DATABASE_MAINTENANCE_URL=… node apps/server/src/revoke-logins.ts --all
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';

/** Revokes the logins and pending second-factor challenges for one username or email address, or for all tutors. */
export async function revokeLogins(
  maintenanceUrl: string,
  account: string | null,
): Promise<number> {
  const client = new pg.Client(maintenanceUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `with tutors as (select tutor_id from login_directory where $1 or username_key = lower($2) or email_key = lower($2)),
            challenges as (delete from mfa_challenges where tutor_id in (select tutor_id from tutors)),
            revoked as (delete from logins where tutor_id in (select tutor_id from tutors) returning 1)
       select count(*)::int as count from revoked`,
      [account === null, account ?? ''],
    );
    return rows[0]?.count ?? 0;
  } finally {
    await client.end();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { values, positionals } = parseArgs({
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const account = values.all ? null : positionals[0];
  if (account === undefined)
    throw new Error('Usage: revoke-logins <username or email address> | --all');
  const revoked = await revokeLogins(readDatabaseUrl('DATABASE_MAINTENANCE_URL'), account);
  process.stdout.write(`${revoked} logins revoked\n`);
}
