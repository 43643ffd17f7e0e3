import pg from 'pg';

/** The row count and an order-independent checksum of each table, such as 'public.lessons' → '12 rows, 83…'. */
export async function tableChecksums(
  superuserUrl: string,
  where: { tutorIs?: string; tutorIsNot?: string } = {},
): Promise<Record<string, string>> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  try {
    // Rows are hashed as text, which depends on these settings.
    await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 3`);
    const sums: Record<string, string> = {};
    for (const { name, hasTutor } of await listTables(client)) {
      const tutor = where.tutorIs ?? where.tutorIsNot;
      if (tutor !== undefined && !hasTutor) continue;
      const condition =
        tutor === undefined
          ? 'true'
          : `tutor_id ${where.tutorIs === undefined ? '<>' : '='} '${tutor}'`;
      const { rows } = await client.query<{ sum: string }>(
        `select count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as sum
         from ${name} t where ${condition}`,
      );
      sums[name] = rows[0]?.sum ?? '';
    }
    return sums;
  } finally {
    await client.end();
  }
}

/** Our tables and the queue's, except unlogged tables, which are emptied by a crash. */
async function listTables(client: pg.Client): Promise<{ name: string; hasTutor: boolean }[]> {
  const { rows } = await client.query<{ name: string; hasTutor: boolean }>(
    `select format('%I.%I', n.nspname, c.relname) as name,
       exists (select 1 from pg_attribute a where a.attrelid = c.oid and a.attname = 'tutor_id') as "hasTutor"
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('public', 'jobs') and c.relkind = 'r' and c.relpersistence = 'p' order by 1`,
  );
  return rows;
}
