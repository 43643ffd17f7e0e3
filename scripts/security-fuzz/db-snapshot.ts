import { readAllRows } from '@lessonbook/server/src/test/tenant-isolation.ts';
import type pg from 'pg';
import type { Fault } from './assertions.ts';
import { CANARY } from './canaries.ts';
import type { Victims } from './victim-data.ts';

/** Rows about a victim that a stranger may cause: anyone may ask for a link to a new password for an address. */
const VOLATILE_TABLES = new Set(['email_tokens', 'tenant_schedule']);

type Rows = Record<string, unknown[]>;

export interface Snapshot {
  far: Rows;
  near: Rows;
}

export const takeSnapshot = async (admin: pg.Client, victims: Victims): Promise<Snapshot> => ({
  far: await readAllRows(admin, victims.far.tutorId),
  near: await readAllRows(admin, victims.near.tutorId),
});

/** The victims' rows that are not what they were, and canaries in anybody else's rows or in a job. */
export async function findChanges(
  admin: pg.Client,
  victims: Victims,
  before: Snapshot,
): Promise<Fault[]> {
  const after = await takeSnapshot(admin, victims);
  const changed = (['far', 'near'] as const).flatMap((which) =>
    Object.keys(before[which])
      .filter((table) => !VOLATILE_TABLES.has(table))
      .filter(
        (table) => JSON.stringify(before[which][table]) !== JSON.stringify(after[which][table]),
      )
      .map((table) => fault(`${table} of the victim ${which} is not what it was`)),
  );
  return [...changed, ...(await strayCanaries(admin, victims))];
}

async function strayCanaries(admin: pg.Client, { far, near }: Victims): Promise<Fault[]> {
  const { rows } = await admin.query<{ table: string }>(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'tutor_id' order by 1`,
  );
  const stray: Fault[] = [];
  for (const { table } of rows) {
    const found = await admin.query(
      `select 1 from ${table} t where tutor_id <> all($1) and to_jsonb(t)::text ilike $2 limit 1`,
      [[far.tutorId, near.tutorId], `%${CANARY}%`],
    );
    if (found.rowCount) stray.push(fault(`a canary stands in ${table} of somebody else`));
  }
  const jobs = await admin.query(`select 1 from jobs.job where data::text ilike $1 limit 1`, [
    `%${CANARY}%`,
  ]);
  if (jobs.rowCount) stray.push(fault('a canary stands in a job'));
  return stray;
}

const fault = (detail: string): Fault => ({ kind: 'changed', operation: 'database', detail });
