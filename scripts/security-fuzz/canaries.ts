import { plantTextEverywhere } from '@lessonbook/server/src/test/database-canaries.ts';
import type pg from 'pg';

/** Every word in a victim's book begins with this, and no request ever says it: seen in an answer, it is a leak. */
export const CANARY = 'qzvleak';

/** Columns of text and bytes in which no word of a victim's can stand, with the reason. */
const EXEMPT_COLUMNS: Record<string, string> = {
  'audit_log.metadata': 'numbers and short words of ours',
  'messages.dedupe_key': 'made of ids and words of ours',
  'invoices.number': 'frozen once issued; the prefix in business_settings has one',
  'invoices.public_id': 'drawn at random and frozen: one of the secrets',
  'invoices.token': 'drawn at random and frozen: one of the secrets',
};

/** Columns that hold one of a few words of ours, or a hash: nothing of anybody's can be read from them. */
const isFixedVocabulary = (column: string): boolean =>
  /(^|_)hash$|^(kind|state|status|currency|method|channel|channels|recipient|provider|purpose|reason|outcome|created_by|action|attendance|cancelled_by|pattern|color|failure_reason|default_method|transports|time_zone|start_time|end_time)$/.test(
    column,
  );

/** Writes a numbered canary into every column of text of the tutor's rows; gives what stands behind each number. */
export async function plantCanaries(
  admin: pg.Client,
  tutorId: string,
  first: number,
): Promise<Map<string, string>> {
  const places = new Map<string, string>();
  await plantTextEverywhere(admin, tutorId, (place) => {
    const canary = `${CANARY}${String(first + places.size).padStart(4, '0')}`;
    places.set(canary, place);
    return canary;
  });
  return places;
}

/** Columns of the tutor's tables that no canary stands in: of a new table or column that the filling forgot. */
export async function columnsWithoutCanary(admin: pg.Client, tutorId: string): Promise<string[]> {
  const { rows } = await admin.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'jsonb', 'bytea', 'ARRAY')
       and c.udt_name <> '_int4' and exists (select 1 from information_schema.columns o where o.table_schema = 'public'
         and o.table_name = c.table_name and o.column_name = 'tutor_id') order by 1, 2`,
  );
  const forgotten: string[] = [];
  for (const { table, column } of rows) {
    const place = `${table}.${column}`;
    if (isFixedVocabulary(column) || place in EXEMPT_COLUMNS) continue;
    const found = await admin.query(
      `select 1 from ${table} where tutor_id = $1 and
         (lower(to_jsonb(${table})->>$2) like $3 or lower(to_jsonb(${table})->>$2) like $4) limit 1`,
      [tutorId, column, `%${CANARY}%`, `%${Buffer.from(CANARY).toString('hex')}%`],
    );
    if (found.rowCount === 0) forgotten.push(place);
  }
  return forgotten;
}

/** Tables of tutors in which the tutor has no row at all. */
export async function emptyTables(admin: pg.Client, tutorId: string): Promise<string[]> {
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
