import type pg from 'pg';

/** Finds the columns, such as 'public.students.name', that contain any of these texts. Includes the queue's tables. */
export async function findTextInTables(
  client: pg.Client,
  texts: readonly string[],
): Promise<string[]> {
  const tables = await client.query<{ schema: string; name: string }>(
    `select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind = 'r' and n.nspname in ('public', 'jobs') and c.relname <> 'schema_migrations' order by 1, 2`,
  );
  // Binary columns are returned in hexadecimal, so search for both forms.
  const searchTerms = texts.flatMap((text) => [text, Buffer.from(text, 'utf8').toString('hex')]);
  const found: string[] = [];
  for (const { schema, name } of tables.rows) {
    const { rows } = await client.query<{ key: string }>(
      `select distinct e.key from ${schema}.${name} t, jsonb_each_text(to_jsonb(t)) e
       where exists (select 1 from unnest($1::text[]) w where position(lower(w) in lower(e.value)) > 0) order by 1`,
      [searchTerms],
    );
    found.push(...rows.map(({ key }) => `${schema}.${name}.${key}`));
  }
  return found;
}

/** Writes the text to every text column of the tutor's rows that accepts it, and returns those columns. */
export async function plantTextEverywhere(
  client: pg.Client,
  tutorId: string,
  text: string | ((column: string) => string),
): Promise<string[]> {
  const textFor = (column: string) => (typeof text === 'string' ? text : text(column));
  const { rows } = await client.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
     where c.table_schema = 'public' and c.data_type = 'text' and c.table_name <> 'tenant_schedule' and exists (select 1 from information_schema.columns o
       where o.table_schema = 'public' and o.table_name = c.table_name and o.column_name = 'tutor_id')
     order by 1, 2`,
  );
  const planted: string[] = [];
  for (const { table, column } of rows) {
    await client.query('begin');
    try {
      const { rowCount } = await client.query(
        `update ${table} set ${column} = $2 || left(md5(coalesce(${column}, '')), 4) where tutor_id = $1`,
        [tutorId, textFor(`${table}.${column}`)],
      );
      await client.query('commit');
      if (rowCount) planted.push(`${table}.${column}`);
    } catch {
      // A check constraint, trigger or foreign key rejected the value.
      await client.query('rollback');
    }
  }
  return planted;
}
