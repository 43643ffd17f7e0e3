import { readAllRowsOfTutor } from '@lessonbook/server/src/test/tenant-isolation-test-support.ts';
import type pg from 'pg';
import type { Fault } from './assertions.ts';
import { CANARY } from './canaries.ts';
import type { Victims } from './victim-data.ts';

/** Tables where anyone can cause a row to be added for a victim, for example by requesting a password reset. */
const VOLATILE_TABLES = new Set(['email_tokens', 'tenant_schedule']);

type Rows = Record<string, unknown[]>;

export interface Snapshot {
  highIdVictim: Rows;
  overlappingIdVictim: Rows;
}

export const takeSnapshot = async (admin: pg.Client, victims: Victims): Promise<Snapshot> => ({
  highIdVictim: await readAllRowsOfTutor(admin, victims.highIdVictim.tutorId),
  overlappingIdVictim: await readAllRowsOfTutor(admin, victims.overlappingIdVictim.tutorId),
});

/** Finds changes to the victims' rows, and canaries in other tutors' rows or in jobs. */
export async function findChanges(
  admin: pg.Client,
  victims: Victims,
  before: Snapshot,
): Promise<Fault[]> {
  const after = await takeSnapshot(admin, victims);
  const changed = (['highIdVictim', 'overlappingIdVictim'] as const).flatMap((victim) =>
    Object.keys(before[victim])
      .filter((table) => !VOLATILE_TABLES.has(table))
      .filter(
        (table) => JSON.stringify(before[victim][table]) !== JSON.stringify(after[victim][table]),
      )
      .map((table) => changeFault(`${table} of ${victim} has changed`)),
  );
  return [...changed, ...(await findStrayCanaries(admin, victims))];
}

async function findStrayCanaries(
  admin: pg.Client,
  { highIdVictim, overlappingIdVictim }: Victims,
): Promise<Fault[]> {
  const { rows } = await admin.query<{ table: string }>(
    `select table_name as table from information_schema.columns where table_schema = 'public' and column_name = 'tutor_id' order by 1`,
  );
  const stray: Fault[] = [];
  for (const { table } of rows) {
    const found = await admin.query(
      `select 1 from ${table} t where tutor_id <> all($1) and to_jsonb(t)::text ilike $2 limit 1`,
      [[highIdVictim.tutorId, overlappingIdVictim.tutorId], `%${CANARY}%`],
    );
    if (found.rowCount) stray.push(changeFault(`${table} of another tutor contains a canary`));
  }
  const jobs = await admin.query(`select 1 from jobs.job where data::text ilike $1 limit 1`, [
    `%${CANARY}%`,
  ]);
  if (jobs.rowCount) stray.push(changeFault('a job contains a canary'));
  return stray;
}

const changeFault = (detail: string): Fault => ({ kind: 'changed', operation: 'database', detail });
