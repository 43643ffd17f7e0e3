import { setTimeout as sleep } from 'node:timers/promises';
import {
  bypassesRowSecurity,
  type Column,
  type Connection,
  findTutor,
  listColumns,
} from '../queries/restore-tutor.ts';
import { listJobColumns } from '../queries/tutor-move-jobs.ts';
import {
  readInstallationId,
  readMoveRecord,
  releaseMoveLock,
  tryMoveLock,
} from '../queries/tutor-move-progress-and-locks.ts';
import { setTextFormat } from '../queries/tutor-move-rows.ts';
import { findTargetMismatch, nextMoveStep } from '../rules/tutor-move-state.ts';
import {
  findTablesMissingFromMoveSpec,
  type Installation,
  MoveError,
} from './copy-tutor-between-installations.ts';
import { type CompletedStep, finish, MOVE_STEPS, type Move, rollBack } from './tutor-move-steps.ts';

interface MoveOptions {
  /** Called after each step has been committed. */
  onStep?: (step: CompletedStep) => void | Promise<void>;
  /** How long running jobs may take to end. */
  drainSeconds?: number;
  /** How long to wait for another run to end. */
  waitSeconds?: number;
}

const DRAIN_SECONDS = 60;
/** Longer than the database takes to end the session of a program that has disappeared. */
const WAIT_SECONDS = 20;
const LOCK_POLL_MS = 250;
/** Class 23: the target's constraints refuse a row. */
const CONSTRAINT_VIOLATION = /^23...$/;

/**
 * Moves a tutor from one installation to another, or continues a move that was interrupted. Each step is one
 * transaction that changes the record of one side; the move is final once the source becomes `moved`.
 */
export const moveTutor = (
  source: Installation,
  target: Installation,
  account: string,
  options: MoveOptions = {},
): Promise<void> => withMove(source, target, account, options, runSteps);

/** Undoes a move that is not final yet: the target's copy is deleted and the source serves the tutor again. */
export const rollBackMove = (
  source: Installation,
  target: Installation,
  account: string,
  options: MoveOptions = {},
): Promise<void> => withMove(source, target, account, options, rollBack);

/** Deletes the rows on the source, once the target serves the tutor. */
export const finishMove = (
  source: Installation,
  target: Installation,
  account: string,
  options: MoveOptions = {},
): Promise<void> => withMove(source, target, account, options, finish);

async function withMove(
  source: Installation,
  target: Installation,
  account: string,
  options: MoveOptions,
  work: (move: Move) => Promise<void>,
): Promise<void> {
  for (const { db } of [source, target]) {
    if (!(await bypassesRowSecurity(db)))
      throw new MoveError('This role cannot see every row. Use the maintenance role.');
    await setTextFormat(db);
  }
  const columns = await assertSameSchema(source.db, target.db);
  const tutorId = (await findTutor(source.db, account)) ?? (await findTutor(target.db, account));
  if (!tutorId) throw new MoveError(`There is no tutor "${account}".`);
  const {
    onStep = () => undefined,
    drainSeconds = DRAIN_SECONDS,
    waitSeconds = WAIT_SECONDS,
  } = options;
  const deadline = performance.now() + waitSeconds * 1000;
  const locked: Connection[] = [];
  try {
    for (const { db } of [source, target]) {
      while (!(await tryMoveLock(db, tutorId))) {
        if (performance.now() > deadline)
          throw new MoveError(
            'Another move of this tutor is running, or both databases are the same.',
          );
        await sleep(LOCK_POLL_MS);
      }
      locked.push(db);
    }
    await work({ source, target, tutorId, columns, onStep, drainMs: drainSeconds * 1000 });
  } finally {
    for (const db of locked) await releaseMoveLock(db, tutorId).catch(() => undefined);
  }
}

async function runSteps(move: Move): Promise<void> {
  for (;;) {
    const { source, target, tutorId } = move;
    const records = [
      await readMoveRecord(source.db, tutorId),
      await readMoveRecord(target.db, tutorId),
    ] as const;
    const problem = findTargetMismatch(records[0], await readInstallationId(target.db));
    if (problem) throw new MoveError(problem);
    const step = nextMoveStep(...records);
    if (typeof step !== 'string') throw new MoveError(step.problem);
    if (step === 'done') return;
    try {
      await MOVE_STEPS[step](move, ...records);
    } catch (error) {
      const refused = toMoveError(error);
      if (!refused) throw error;
      const current = await readMoveRecord(source.db, tutorId);
      if (current?.state === 'draining' || current?.state === 'locked') await rollBack(move);
      throw refused;
    }
  }
}

function toMoveError(error: unknown): MoveError | null {
  if (error instanceof MoveError) return error;
  const { code = '', table = '', message } = error as Error & { code?: string; table?: string };
  return CONSTRAINT_VIOLATION.test(code)
    ? new MoveError(`A row in ${table} conflicts with the target: ${message}`)
    : null;
}

async function assertSameSchema(source: Connection, target: Connection): Promise<Column[]> {
  const columns = await listColumns(target);
  const describe = async (db: Connection, all: readonly Column[]) =>
    JSON.stringify([
      all.map(({ table, name, type }) => `${table}.${name} ${type}`).toSorted(),
      await listJobColumns(db),
    ]);
  if ((await describe(source, await listColumns(source))) !== (await describe(target, columns)))
    throw new MoveError('The installations have different schemas. Run the same version on both.');
  const undecided = findTablesMissingFromMoveSpec(columns);
  if (undecided.length > 0)
    throw new MoveError(`Tables missing from the move spec: ${undecided.join(', ')}.`);
  return columns;
}
