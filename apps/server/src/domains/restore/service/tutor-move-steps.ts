import { setTimeout as sleep } from 'node:timers/promises';
import { systemNow } from '@lessonbook/contract/time';
import { uuidV7 } from '../../../platform/db/uuid.ts';
import {
  type Column,
  type Connection,
  findConflictingUsernames,
} from '../queries/restore-tutor.ts';
import {
  insertWaitingJobs,
  listQueuedJobs,
  readWaitingJobs,
  takeWaitingJobs,
} from '../queries/tutor-move-jobs.ts';
import {
  changeMoveState,
  deleteMoveRecord,
  hasTutor,
  lockTutorExclusively,
  readChecksums,
  readInstallationId,
  readMoveRecord,
  saveMoveRecord,
} from '../queries/tutor-move-progress-and-locks.ts';
import { deleteMovedTutor } from '../queries/tutor-move-rows.ts';
import {
  canFinish,
  findTargetMismatch,
  findTargetProblem,
  type MoveRecord,
  type MoveStep,
} from '../rules/tutor-move-state.ts';
import {
  assertConvertible,
  assertSameChecksums,
  checksumTutor,
  copyOptOuts,
  copyTutor,
  type Installation,
  MoveError,
} from './copy-tutor-between-installations.ts';

/* The steps of a move. Each is one transaction that changes the record of one side. */

export type CompletedStep =
  | 'draining'
  | 'locked'
  | 'copied'
  | 'moved'
  | 'active'
  | 'rolled back'
  | 'finished';

export interface Move {
  source: Installation;
  target: Installation;
  tutorId: string;
  columns: readonly Column[];
  onStep: (step: CompletedStep) => void | Promise<void>;
  drainMs: number;
}

const DRAIN_POLL_MS = 50;

/** Throws for anything that would fail later, then refuses writes by requests to the source. */
async function start(move: Move, _: MoveRecord | null, targetRecord: MoveRecord | null) {
  const { source, target, tutorId } = move;
  if (!(await hasTutor(source.db, tutorId))) throw new MoveError('The source has no such tutor.');
  const problem = findTargetProblem(targetRecord, await hasTutor(target.db, tutorId));
  if (problem) throw new MoveError(problem);
  const conflicting = await findConflictingUsernames(source.db, target.db, tutorId);
  if (conflicting.length > 0)
    throw new MoveError(
      `On the target, "${conflicting.join(', ')}" has this username or email address.`,
    );
  await assertConvertible(source, target, tutorId);
  await inTransaction(source.db, async () => {
    await lockTutorExclusively(source.db, tutorId);
    const moveId = uuidV7(systemNow());
    await saveMoveRecord(source.db, tutorId, {
      moveId,
      state: 'draining',
      otherOrigin: target.origin,
      targetId: await readInstallationId(target.db),
    });
    await takeWaitingJobs(source.db, tutorId);
  });
  await move.onStep('draining');
}

/** Waits until the jobs that were running have ended, then refuses all writes. */
async function drain(move: Move, record: MoveRecord | null) {
  const { source, tutorId, drainMs } = move;
  const deadline = performance.now() + drainMs;
  for (;;) {
    const isLocked = await inTransaction(source.db, async () => {
      await lockTutorExclusively(source.db, tutorId);
      await takeWaitingJobs(source.db, tutorId);
      const running = await listQueuedJobs(source.db, tutorId);
      if (running.length > 0 && performance.now() > deadline)
        throw new MoveError(
          `These jobs are still running: ${running.map(({ name }) => name).join(', ')}. Try again later.`,
        );
      if (running.length > 0) return false;
      await changeMoveState(source.db, tutorId, {
        moveId: record?.moveId ?? '',
        from: ['draining'],
        to: 'locked',
      });
      return true;
    });
    if (isLocked) break;
    await sleep(DRAIN_POLL_MS);
  }
  await move.onStep('locked');
}

/** Copies and compares everything in one transaction of the target. */
async function copy(move: Move, record: MoveRecord | null, targetRecord: MoveRecord | null) {
  const { source, target, tutorId, columns } = move;
  await inTransaction(
    source.db,
    () =>
      inTransaction(target.db, async () => {
        const isReplaced = await hasTutor(target.db, tutorId);
        const problem = findTargetProblem(targetRecord, isReplaced);
        if (problem) throw new MoveError(problem);
        if (isReplaced) await deleteMovedTutor(target.db, tutorId);
        const checksums = await copyTutor(source, target, tutorId, columns);
        await saveMoveRecord(target.db, tutorId, {
          moveId: record?.moveId ?? '',
          state: 'copied',
          otherOrigin: source.origin,
          targetId: null,
          waitingJobs: await readWaitingJobs(source.db, tutorId),
          checksums: JSON.stringify(checksums),
        });
      }),
    'begin isolation level repeatable read read only',
  );
  await move.onStep('copied');
}

/** Makes the move final, if nothing has changed on the source since it was copied. */
async function commit(move: Move, record: MoveRecord | null) {
  const { source, target, tutorId, columns } = move;
  const copied = await readChecksums(target.db, tutorId);
  await inTransaction(source.db, async () => {
    await lockTutorExclusively(source.db, tutorId);
    assertSameChecksums(
      copied,
      await checksumTutor(source.db, tutorId, columns),
      'as when they were copied',
    );
    const jobs = await listQueuedJobs(source.db, tutorId);
    if (jobs.length > 0)
      throw new MoveError(
        `The queue of the source still has: ${jobs.map(({ name }) => name).join(', ')}.`,
      );
    await changeMoveState(source.db, tutorId, {
      moveId: record?.moveId ?? '',
      from: ['locked'],
      to: 'moved',
      clearJobs: true,
    });
  });
  await move.onStep('moved');
}

async function activate(move: Move, record: MoveRecord | null) {
  const { source, target, tutorId, columns } = move;
  await inTransaction(target.db, async () => {
    await lockTutorExclusively(target.db, tutorId);
    // Replies may have reached only the source since the rows were copied.
    await copyOptOuts(source.db, target.db, tutorId, columns);
    await moveWaitingJobs(target.db, tutorId);
    await changeMoveState(target.db, tutorId, {
      moveId: record?.moveId ?? '',
      from: ['copied'],
      to: 'active',
      clearJobs: true,
    });
  });
  await move.onStep('active');
}

/** Jobs that were already in the queue, for example for webhooks, stay there. */
async function moveWaitingJobs(target: Connection, tutorId: string): Promise<void> {
  const before = await listQueuedJobs(target, tutorId);
  const inserted = await insertWaitingJobs(target, tutorId);
  const after = await listQueuedJobs(target, tutorId);
  const expected = new Set([...before.map(({ id }) => id), ...inserted]);
  const unexpected = after.filter(({ id }) => !expected.has(id)).map(({ name }) => name);
  const queued = new Set(after.map(({ id }) => id));
  const missing = inserted.filter((id) => !queued.has(id));
  if (unexpected.length + missing.length > 0)
    throw new MoveError(
      `The queue of the target has unexpected jobs (${unexpected.join(', ')}) or lacks some (${missing.join(', ')}).`,
    );
}

/** Deletes the target's copy first, so that the two sides never serve the tutor at the same time. */
export async function rollBack(move: Move): Promise<void> {
  const { source, target, tutorId } = move;
  const record = await readMoveRecord(source.db, tutorId);
  if (record?.state !== 'draining' && record?.state !== 'locked')
    throw new MoveError(
      record?.state === 'moved'
        ? 'The outcome is already decided, so the move can only be completed. Move the tutor back afterwards.'
        : 'There is no move to roll back.',
    );
  const problem = findTargetMismatch(record, await readInstallationId(target.db));
  if (problem) throw new MoveError(problem);
  const targetRecord = await readMoveRecord(target.db, tutorId);
  if (targetRecord?.moveId === record.moveId)
    await inTransaction(target.db, async () => {
      await deleteMovedTutor(target.db, tutorId);
      await deleteMoveRecord(target.db, tutorId);
    });
  await inTransaction(source.db, async () => {
    await lockTutorExclusively(source.db, tutorId);
    await insertWaitingJobs(source.db, tutorId);
    await changeMoveState(source.db, tutorId, {
      moveId: record.moveId,
      from: ['draining', 'locked'],
      to: 'active',
      clearJobs: true,
    });
  });
  await move.onStep('rolled back');
}

export async function finish(move: Move): Promise<void> {
  const { source, target, tutorId } = move;
  const record = await readMoveRecord(source.db, tutorId);
  const targetRecord = await readMoveRecord(target.db, tutorId);
  if (record?.state === 'finished') return;
  // The tutor was later moved back, and rolling back that move has deleted the rows and the record.
  if (!record && !(await hasTutor(source.db, tutorId))) return;
  if (!record || !canFinish(record, targetRecord))
    throw new MoveError(
      'The target does not serve the tutor yet. Complete the move first, or name the installation that serves the tutor with --to.',
    );
  await inTransaction(source.db, async () => {
    await lockTutorExclusively(source.db, tutorId);
    await deleteMovedTutor(source.db, tutorId);
    await changeMoveState(source.db, tutorId, {
      moveId: record.moveId,
      from: ['moved'],
      to: 'finished',
    });
  });
  await move.onStep('finished');
}

async function inTransaction<T>(
  db: Connection,
  work: () => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await db.query(begin);
  try {
    const result = await work();
    await db.query('commit');
    return result;
  } catch (error) {
    await db.query('rollback').catch(() => undefined);
    throw error;
  }
}

type Records = readonly [source: MoveRecord | null, target: MoveRecord | null];
export const MOVE_STEPS: Record<
  Exclude<MoveStep, 'done'>,
  (move: Move, ...records: Records) => Promise<void>
> = {
  start,
  drain,
  copy,
  commit,
  activate,
};
