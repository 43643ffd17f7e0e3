import type { Compilable } from 'kysely';
import pg from 'pg';
import type { Tx } from '../platform/db/database.ts';
import type { TestApp } from './test-app.ts';

interface ExplainedPlan {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/**
 * The number of database pages that a statement reads with its generic plan, which is the plan that the server uses.
 * Unlike a duration, it does not depend on how busy the machine is.
 */
export async function countBuffers(
  app: TestApp,
  tutorId: string,
  build: (tx: Tx) => Compilable,
): Promise<number> {
  const { sql, parameters } = await app.context.db.tutorSnapshot(tutorId, async (tx) =>
    build(tx).compile(),
  );
  const client = new pg.Client({
    connectionString: app.urls.appUrl,
    // Otherwise a sequential scan could be chosen, because the test tables are small.
    options: '-c plan_cache_mode=force_generic_plan -c enable_seqscan=off',
  });
  await client.connect();
  try {
    await client.query("select set_config('app.tutor_id', $1, false)", [tutorId]);
    await client.query(`prepare measured as ${sql}`);
    const values = parameters.map((value) => client.escapeLiteral(toText(value))).join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: ExplainedPlan }] }>(
      `explain (analyze, buffers, format json) execute measured(${values})`,
    );
    const plan = rows[0]?.['QUERY PLAN'][0].Plan as ExplainedPlan;
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.end();
  }
}

function toText(value: unknown): string {
  if (Array.isArray(value)) return `{${value.join(',')}}`;
  return value instanceof Date ? value.toISOString() : String(value);
}
