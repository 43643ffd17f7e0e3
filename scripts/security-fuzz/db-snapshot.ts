import { readAllRows } from '@lessonbook/server/src/test/tenant-isolation.ts';
import type pg from 'pg';
import type { Fault } from './assertions.ts';
import { CANARY } from './canaries.ts';
import type { Victims } from './victim-data.ts';

/** Tables where anyone may cause a row for a victim, for example by requesting a password reset for the victim's address. */
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

/** Finds changes to the victims' rows, and canaries in other tutors' rows or in jobs. */
export async function findChanges(
  admin: pg.Client,
  victims: Victims,
  before: Snapshot,
): Promise<Fault[]> {
  const after = await takeSnapshot(admin, victims);
  const changed = (['far', 'near'] as const).flatMap((victim) =>
    Object.keys(before[victim])
      .filter((table) => !VOLATILE_TABLES.has(table))
      .filter(
        (table) => JSON.stringify(before[victim][table]) !== JSON.stringify(after[victim][table]),
      )
      .map((table) => fault(`${table} of the victim ${victim} has changed`)),
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
    if (found.rowCount) stray.push(fault(`${table} of another tutor contains a canary`));
  }
  const jobs = await admin.query(`select 1 from jobs.job where data::text ilike $1 limit 1`, [
    `%${CANARY}%`,
  ]);
  if (jobs.rowCount) stray.push(fault('a job contains a canary'));
  return stray;
}

const fault = (detail: string): Fault => ({ kind: 'changed', operation: 'database', detail });
