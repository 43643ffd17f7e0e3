import { type Db, PgBoss } from 'pg-boss';
import { type AnyJob, retryPolicy } from './job.ts';

export const SCHEMA = 'jobs';

/** Receives a copy of every job whose last attempt has failed or timed out, or whose worker died during it. */
export const ABANDONED_QUEUE = 'abandoned';

/** If a worker sends no heartbeat for this long, its job goes to another worker. */
const HEARTBEAT_SECONDS = 10;
/** For jobs with a lot of data, and for periodic jobs, which process many tutors. */
const LONG_EXPIRY_SECONDS = 1_800;
const EXPIRY_SECONDS = 120;

const QUEUE_OPTIONS = {
  // pg-boss would notify within the transaction that enqueues the job; see worker-notifier.ts.
  notify: false,
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retentionSeconds: 14 * 86_400,
  deleteAfterSeconds: 7 * 86_400,
} as const;

/** Seven days in constant steps, because pg-boss does not copy the maximum delay to a dead-letter job. */
const ABANDONED_OPTIONS = {
  ...QUEUE_OPTIONS,
  expireInSeconds: EXPIRY_SECONDS,
  retryLimit: 2_016,
  retryDelay: 300,
};

/** Creates or updates the pg-boss tables and one queue per job. Part of the migration, so it runs as the owner role. */
export async function installQueue(ownerUrl: string, jobs: readonly AnyJob[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    schema: SCHEMA,
    max: 2,
    supervise: false,
    schedule: false,
  });
  boss.on('error', () => undefined);
  await boss.start();
  const saveQueue = async (name: string, options: object) => {
    const existing = await boss.getQueue(name);
    if (existing === null) await boss.createQueue(name, options);
    else await boss.updateQueue(name, options);
  };
  try {
    await saveQueue(ABANDONED_QUEUE, ABANDONED_OPTIONS);
    for (const job of jobs) {
      await saveQueue(job.name, {
        ...QUEUE_OPTIONS,
        ...retryPolicy(job.retryFor),
        expireInSeconds: job.cron || job.isLong ? LONG_EXPIRY_SECONDS : EXPIRY_SECONDS,
        deadLetter: ABANDONED_QUEUE,
      });
    }
    await createTutorIndex(boss.getDb());
    await boss.getDb().executeSql(
      `grant usage on schema ${SCHEMA} to lessonbook_app, lessonbook_maintenance;
       grant select, insert, update, delete on all tables in schema ${SCHEMA} to lessonbook_app;
       grant select on all tables in schema ${SCHEMA} to lessonbook_maintenance;
       grant insert, delete on ${SCHEMA}.job to lessonbook_maintenance;
       grant execute on all functions in schema ${SCHEMA} to lessonbook_app;
       grant usage on all sequences in schema ${SCHEMA} to lessonbook_app`,
    );
  } finally {
    await boss.stop({ graceful: false });
  }
}

/** The index finds a tutor's jobs for the sweep and for account deletion. Built without blocking the running server. */
async function createTutorIndex(db: Db): Promise<void> {
  const { rows } = await db.executeSql(
    `select indisvalid as "isValid" from pg_index where indexrelid = to_regclass('${SCHEMA}.job_tutor_idx')`,
  );
  if (rows[0]?.isValid) return;
  // An interrupted build leaves an invalid index behind.
  await db.executeSql(`drop index concurrently if exists ${SCHEMA}.job_tutor_idx`);
  await db.executeSql(
    `create index concurrently job_tutor_idx on ${SCHEMA}.job_common ((data->>'tutorId'))`,
  );
}
