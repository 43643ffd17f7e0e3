/**
 * Ends logins from the operator's side, as somebody whose account was taken over may ask for:
 *   DATABASE_MAINTENANCE_URL=… node apps/server/src/revoke-logins.ts ada@example.com
 *   DATABASE_MAINTENANCE_URL=… node apps/server/src/revoke-logins.ts --all
 */
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { readDatabaseUrl } from './config.ts';

/** Those of whoever has this username or address, or everybody's; also what was begun and lacks its second factor. */
export async function revokeLogins(
  maintenanceUrl: string,
  account: string | null,
): Promise<number> {
  const client = new pg.Client(maintenanceUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ ended: number }>(
      `with who as (select tutor_id from login_directory where $1 or username_key = lower($2) or email_key = lower($2)),
            steps as (delete from mfa_challenges where tutor_id in (select tutor_id from who)),
            gone as (delete from logins where tutor_id in (select tutor_id from who) returning 1)
       select count(*)::int as ended from gone`,
      [account === null, account ?? ''],
    );
    return rows[0]?.ended ?? 0;
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
  if (account === undefined) throw new Error('Whose? A username, an e-mail address, or --all');
  const ended = await revokeLogins(readDatabaseUrl('DATABASE_MAINTENANCE_URL'), account);
  process.stdout.write(`${ended} logins ended\n`);
}
