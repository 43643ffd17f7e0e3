import { findViolations, type Violation } from '@lessonbook/server/src/invariants.ts';
import pg from 'pg';
import { appDatabaseUrl } from './app-under-test.ts';
import { type PostgresServer, runQuery } from './postgres-server-and-backups.ts';

/** The markers of all lessons and payments. */
export async function readMarkers(server: PostgresServer): Promise<Set<string>> {
  const rows = await runQuery<{ marker: string }>(
    appDatabaseUrl(server),
    `select title as marker from lessons union all select note from payments where note is not null`,
  );
  return new Set(rows.map((row) => row.marker));
}

export async function countMarkers(server: PostgresServer, prefix: string): Promise<number> {
  const [row] = await runQuery<{ count: number }>(
    appDatabaseUrl(server),
    `select ((select count(*) from lessons where title like '${prefix}%')
      + (select count(*) from payments where note like '${prefix}%'))::int as count`,
  );
  return row?.count ?? 0;
}

/** Checks the invariants of `npm run invariants` for these tutors only. */
export async function findInvariantViolations(
  server: PostgresServer,
  usernames: readonly string[],
): Promise<Violation[]> {
  const client = new pg.Client(appDatabaseUrl(server));
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>(
      'select tutor_id as id from login_directory where username = any($1)',
      [usernames],
    );
    if (rows.length !== usernames.length) throw new Error('A tutor is missing');
    const faults: Violation[] = [];
    for (const { id } of rows) faults.push(...(await findViolations(client, id)));
    return faults;
  } finally {
    await client.end();
  }
}
