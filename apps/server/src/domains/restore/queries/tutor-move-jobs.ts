import type { Connection } from './restore-tutor.ts';

/** Takes the tutor's waiting jobs out of the queue and keeps them in the record. */
export async function takeWaitingJobs(db: Connection, tutorId: string): Promise<void> {
  await db.query(
    `with taken as (
       delete from jobs.job j where j.data->>'tutorId' = $1::text and j.state in ('created', 'retry')
       returning to_jsonb(j) as job)
     update tutor_moves set waiting_jobs = waiting_jobs || (select coalesce(jsonb_agg(job), '[]') from taken)
     where tutor_id = $1::uuid`,
    [tutorId],
  );
}

export async function readWaitingJobs(db: Connection, tutorId: string): Promise<string> {
  const { rows } = await db.query<{ jobs: string }>(
    'select waiting_jobs::text as jobs from tutor_moves where tutor_id = $1',
    [tutorId],
  );
  return rows[0]?.jobs ?? '[]';
}

/** Inserts the jobs of the record into the queue. Returns their ids. */
export async function insertWaitingJobs(db: Connection, tutorId: string): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `insert into jobs.job select j.* from tutor_moves m, jsonb_populate_recordset(null::jobs.job, m.waiting_jobs) j
     where m.tutor_id = $1 returning id`,
    [tutorId],
  );
  return rows.map(({ id }) => id);
}

/** The tutor's jobs that are waiting in the queue or running. */
export async function listQueuedJobs(
  db: Connection,
  tutorId: string,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, name from jobs.job where data->>'tutorId' = $1 and state < 'completed'`,
    [tutorId],
  );
  return rows;
}

/** The columns of the queue's table, such as 'id uuid'; they differ between versions of the queue. */
export async function listJobColumns(db: Connection): Promise<string> {
  const { rows } = await db.query<{ columns: string }>(
    `select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) as columns
     from pg_attribute where attrelid = 'jobs.job'::regclass and attnum > 0 and not attisdropped`,
  );
  return rows[0]?.columns ?? '';
}
