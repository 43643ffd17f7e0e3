import type pg from 'pg';

interface IndexDefinition {
  drop: string;
  create: string;
}

/**
 * Drops the indexes during a load, because building an index at the end is several times faster than updating it row by row.
 * Indexes are recreated from their catalogue definitions, and the whole schema is compared before and after.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  load: () => Promise<void>,
): Promise<void> {
  const before = await describeSchema(client);
  const definitions = await readDefinitions(client, tables);
  for (const { drop } of definitions) await client.query(drop);
  await load();
  for (const { create } of definitions) await client.query(create);
  const after = await describeSchema(client);
  const lost = before.filter((line) => !after.includes(line));
  const added = after.filter((line) => !before.includes(line));
  if (lost.length + added.length > 0) {
    throw new Error(
      `The load changed the schema.\nLost: ${lost.join('\n')}\nNew: ${added.join('\n')}`,
    );
  }
}

/** Leaves out primary keys, because foreign keys depend on them. */
async function readDefinitions(
  client: pg.Client,
  tables: readonly string[],
): Promise<IndexDefinition[]> {
  const { rows } = await client.query<IndexDefinition>(
    `select oid, 'alter table ' || conrelid::regclass || ' drop constraint ' || quote_ident(conname) as drop,
       'alter table ' || conrelid::regclass || ' add constraint ' || quote_ident(conname) || ' '
         || pg_get_constraintdef(oid) as create
     from pg_constraint where conrelid = any($1::regclass[]) and contype in ('u', 'x')
     union all
     select indexrelid, 'drop index ' || indexrelid::regclass, pg_get_indexdef(indexrelid)
     from pg_index where indrelid = any($1::regclass[])
       and not exists (select 1 from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
     order by oid`,
    [tables],
  );
  return rows;
}

/** One line for each table, column, constraint, index and policy. */
export async function describeSchema(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `with own as (
       select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'i'))
     select format('class %s owner %s rls %s %s options %s rights %s', oid::regclass, relowner::regrole, relrowsecurity,
       relforcerowsecurity, reloptions, relacl) as line from pg_class where oid in (table own)
     union all
     select format('column %s.%s %s null %s default %s rights %s', attrelid::regclass, attname,
       format_type(atttypid, atttypmod), not attnotnull, pg_get_expr(adbin, adrelid), attacl)
     from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
     where attrelid in (table own) and attnum > 0 and not attisdropped
     union all
     select format('constraint %s.%s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     from pg_constraint where conrelid in (table own)
     union all
     select format('index %s valid %s unique %s immediate %s', pg_get_indexdef(indexrelid), indisvalid, indisunique,
       indimmediate) from pg_index where indrelid in (table own)
     union all
     select format('policy %s.%s %s using %s check %s', polrelid::regclass, polname, polcmd,
       pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) from pg_policy
     order by line`,
  );
  return rows.map((row) => row.line);
}
