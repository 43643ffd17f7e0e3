import type { MoveRecord, MoveState } from '../rules/tutor-move-state.ts';
import type { Connection } from './restore-tutor.ts';

/**
 * Takes the lock that the program holds for the whole run. Returns false if another run holds it, or if both databases
 * are the same.
 */
export async function tryMoveLock(db: Connection, tutorId: string): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move ' || $1::text, 0)) as locked`,
    [tutorId],
  );
  return rows[0]?.locked === true;
}

export async function releaseMoveLock(db: Connection, tutorId: string): Promise<void> {
  await db.query(`select pg_advisory_unlock(hashtextextended('move ' || $1::text, 0))`, [tutorId]);
}

/** Identifies the database cluster and the database in it. A copy of the database files has the same id. */
export async function readInstallationId(db: Connection): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select system_identifier || '/' || oid as id from pg_control_system(), pg_database where datname = current_database()`,
  );
  return rows[0]?.id ?? '';
}

/** Waits for transactions that write the tutor's rows, and keeps new ones waiting; see check_tutor_writable. */
export async function lockTutorExclusively(db: Connection, tutorId: string): Promise<void> {
  await db.query(`set local lock_timeout = '30s'`);
  await db.query(`select pg_advisory_xact_lock(hashtextextended('tutor ' || $1::uuid, 0))`, [
    tutorId,
  ]);
}

export async function readMoveRecord(db: Connection, tutorId: string): Promise<MoveRecord | null> {
  const { rows } = await db.query<MoveRecord>(
    `select move_id as "moveId", state, other_origin as "otherOrigin", target_id as "targetId"
     from tutor_moves where tutor_id = $1`,
    [tutorId],
  );
  return rows[0] ?? null;
}

/** Replaces the record of an earlier move. */
export async function saveMoveRecord(
  db: Connection,
  tutorId: string,
  record: MoveRecord & { waitingJobs?: string; checksums?: string },
): Promise<void> {
  await db.query(
    `insert into tutor_moves (tutor_id, move_id, state, other_origin, target_id, waiting_jobs, checksums, started_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, now(), now())
     on conflict (tutor_id) do update set move_id = excluded.move_id, state = excluded.state,
       other_origin = excluded.other_origin, target_id = excluded.target_id, waiting_jobs = excluded.waiting_jobs, checksums = excluded.checksums,
       started_at = excluded.started_at, changed_at = excluded.changed_at`,
    [
      tutorId,
      record.moveId,
      record.state,
      record.otherOrigin,
      record.targetId,
      record.waitingJobs ?? '[]',
      record.checksums ?? null,
    ],
  );
}

/** Throws if the record is not in the expected state. */
export async function changeMoveState(
  db: Connection,
  tutorId: string,
  change: { moveId: string; from: readonly MoveState[]; to: MoveState; clearJobs?: boolean },
): Promise<void> {
  const { rowCount } = await db.query(
    `update tutor_moves set state = $4, changed_at = now(),
       waiting_jobs = case when $5 then '[]' else waiting_jobs end
     where tutor_id = $1 and move_id = $2 and state = any($3)`,
    [tutorId, change.moveId, change.from, change.to, change.clearJobs ?? false],
  );
  if (rowCount !== 1)
    throw new Error(`The move ${change.moveId} is not ${change.from.join(' or ')}`);
}

export async function deleteMoveRecord(db: Connection, tutorId: string): Promise<void> {
  await db.query('delete from tutor_moves where tutor_id = $1', [tutorId]);
}

export async function hasTutor(db: Connection, tutorId: string): Promise<boolean> {
  const { rowCount } = await db.query('select from tutors where tutor_id = $1', [tutorId]);
  return rowCount === 1;
}

export async function readChecksums(
  db: Connection,
  tutorId: string,
): Promise<Record<string, string>> {
  const { rows } = await db.query<{ checksums: Record<string, string> | null }>(
    'select checksums from tutor_moves where tutor_id = $1',
    [tutorId],
  );
  return rows[0]?.checksums ?? {};
}
