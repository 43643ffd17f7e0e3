import { plantTextEverywhere } from '@lessonbook/server/src/test/database-canaries.ts';
import type pg from 'pg';

/** Every text value of a victim begins with this and no request contains it, so a response that contains it is a leak. */
export const CANARY = 'qzvleak';

/** Columns that need no canary, with the reason for each. */
const EXEMPT_COLUMNS: Record<string, string> = {
  'agreements.text': 'immutable once published; the names in agreement_acceptances have a canary',
  'audit_log.metadata': 'numbers and fixed values',
  'cancellation_policies.tiers': 'numbers and times',
  'homework_done.done_by': 'tutor or contact',
  'move_requests.choices': 'dates and times; the message has a canary',
  'move_requests.suggestions': 'dates and times; the answer has a canary',
  'contact_feeds.proven_by': 'email or phone',
  'calendar_events.conference_status': 'pending, created or failed',
  'messages.dedupe_key': 'built from ids and fixed values',
  'invoices.number': 'immutable once issued; the prefix in business_settings has a canary',
  'invoices.public_id': 'random and immutable; checked as a secret',
  'shared_links.moved_macs': 'hashes of tokens from before a move',
  'tutor_moves.checksums': 'hashes',
  'tutor_moves.waiting_jobs': 'empty once the move is over',
  'shared_links.public_id': 'random; tokens are derived from it and checked as secrets',
};

/** Columns that hold a hash or one of a few fixed values, and so reveal no personal data. */
const holdsFixedValues = (column: string): boolean =>
  /(^|_)hash$|^(kind|state|status|currency|method|channel|channels|recipient|provider|purpose|reason|outcome|created_by|action|attendance|cancelled_by|fee_source|unit|pattern|color|failure_reason|default_method|transports|time_zone|start_time|end_time)$/.test(
    column,
  );

/** Writes a numbered canary into every text column of the tutor's rows; returns the column of each canary. */
export async function plantCanaries(
  admin: pg.Client,
  tutorId: string,
  first: number,
): Promise<Map<string, string>> {
  const columns = new Map<string, string>();
  await plantTextEverywhere(admin, tutorId, (place) => {
    const canary = `${CANARY}${String(first + columns.size).padStart(4, '0')}`;
    columns.set(canary, place);
    return canary;
  });
  return columns;
}

/** Columns of tenant tables that have no canary: new tables or columns that the seed does not fill yet. */
export async function findColumnsWithoutCanary(
  admin: pg.Client,
  tutorId: string,
): Promise<string[]> {
  const { rows } = await admin.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'bytea', 'ARRAY')
       and c.udt_name <> '_int4' and exists (select 1 from information_schema.columns o where o.table_schema = 'public'
         and o.table_name = c.table_name and o.column_name = 'tutor_id') order by 1, 2`,
  );
  const missing: string[] = [];
  for (const { table, column } of rows) {
    const place = `${table}.${column}`;
    if (holdsFixedValues(column) || place in EXEMPT_COLUMNS) continue;
    const found = await admin.query(
      `select 1 from ${table} where tutor_id = $1 and
         (lower(to_jsonb(${table})->>$2) like $3 or lower(to_jsonb(${table})->>$2) like $4) limit 1`,
      [tutorId, column, `%${CANARY}%`, `%${Buffer.from(CANARY).toString('hex')}%`],
    );
    if (found.rowCount === 0) missing.push(place);
  }
  return missing;
}

/** Tenant tables that have no row for the tutor. */
export async function findEmptyTables(admin: pg.Client, tutorId: string): Promise<string[]> {
  const { rows } = await admin.query<{ table: string }>(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'tutor_id' order by 1`,
  );
  const empty: string[] = [];
  for (const { table } of rows) {
    const found = await admin.query(`select 1 from ${table} where tutor_id = $1 limit 1`, [
      tutorId,
    ]);
    if (found.rowCount === 0) empty.push(table);
  }
  return empty;
}
