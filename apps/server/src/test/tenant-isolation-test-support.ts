import type { Endpoint } from '@lessonbook/contract/endpoint';
import pg from 'pg';
import type { ApiResponse, Browser } from './browser-client.ts';

/** The endpoint's name and input. */
export type EndpointCall = [string, { params?: object; query?: object; body?: object }];

export const callByName =
  (endpoints: Record<string, Endpoint>) =>
  (browser: Browser, [name, input]: EndpointCall): Promise<ApiResponse<unknown>> =>
    (browser.call as (endpoint: Endpoint, input: object) => Promise<ApiResponse<unknown>>).call(
      browser,
      endpoints[name] as Endpoint,
      input,
    );

/** Starts a tutor's id sequences after `from`, so that the ids differ from those of other tutors. */
export async function startIdsAfter(
  maintenance: pg.Client,
  tutorId: string,
  kinds: readonly string[],
  from: number,
): Promise<void> {
  if (from === 0) return;
  for (const kind of kinds)
    await maintenance.query(
      `insert into id_sequences (tutor_id, kind, last_id) values ($1, $2, $3)
       on conflict (tutor_id, kind) do update set last_id = excluded.last_id`,
      [tutorId, kind, from],
    );
}

/** Reads all of a tutor's rows, using a role that bypasses row-level security. */
export async function readAllRowsOfTutor(
  maintenance: pg.Client,
  tutorId: string,
): Promise<Record<string, unknown[]>> {
  const tables = await maintenance.query<{ table_name: string }>(
    `select table_name from information_schema.columns
     where table_schema = 'public' and column_name = 'tutor_id' and table_name <> 'logins' order by table_name`,
  );
  const rows: Record<string, unknown[]> = {};
  for (const { table_name: table } of tables.rows) {
    const found = await maintenance.query(
      `select to_jsonb(t) as row from ${table} t where tutor_id = $1 order by to_jsonb(t)::text`,
      [tutorId],
    );
    rows[table] = found.rows.map(({ row }) => row as unknown);
  }
  return rows;
}

/** Disables row-level security, so that only the server's own checks protect the data. */
export async function disableRowSecurity(ownerUrl: string): Promise<void> {
  const owner = new pg.Client(ownerUrl);
  await owner.connect();
  const { rows } = await owner.query<{ relname: string }>(
    'select relname from pg_class where relrowsecurity order by relname',
  );
  for (const { relname } of rows)
    await owner.query(`alter table ${relname} disable row level security`);
  await owner.end();
}

/** The texts of a tutor's students, lessons and calendars. */
export type FixtureTexts = Record<
  'name' | 'carer' | 'subject' | 'title' | 'place' | 'notes' | 'reason' | 'phone' | 'email',
  string
>;

export const canaryTexts: FixtureTexts = {
  name: 'canary student',
  carer: 'canary carer',
  subject: 'canary subject',
  title: 'canary title',
  place: 'canary place',
  notes: 'canary notes',
  reason: 'canary reason',
  phone: '+447700900991',
  email: 'canary@example.com',
};

export const plainTexts: FixtureTexts = {
  name: 'Maya',
  carer: 'Ruth Hale',
  subject: 'Maths',
  title: 'Maya - Maths',
  place: 'Library',
  notes: 'Fractions',
  reason: 'Ill',
  phone: '+447700900001',
  email: 'ruth@example.com',
};
