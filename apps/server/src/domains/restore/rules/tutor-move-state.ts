/*
 * A move has a record in both installations:
 *
 *   source:  draining → locked → moved → finished       target:  copied → active
 *
 * - draining: requests can only read; jobs that were running may finish.
 * - locked: all writes are refused; reads continue.
 * - copied: all rows are on the target, which does not serve the tutor yet.
 * - moved: the source no longer serves the tutor. Before this state the move can be rolled back; after it, only completed.
 * - active: the target serves the tutor.
 * - finished: the rows on the source are deleted.
 *
 * A rolled-back source is active again, with the same record.
 */

export type MoveState = 'draining' | 'locked' | 'moved' | 'finished' | 'copied' | 'active';

export interface MoveRecord {
  moveId: string;
  state: MoveState;
  /** The public address of the other installation. */
  otherOrigin: string;
  /** On the source, the installation to which the move goes. */
  targetId: string | null;
}

export type MoveStep = 'start' | 'drain' | 'copy' | 'commit' | 'activate' | 'done';

/** The next step, or why there is none. */
export function nextMoveStep(
  source: MoveRecord | null,
  target: MoveRecord | null,
): MoveStep | { problem: string } {
  if (!source) return 'start';
  const targetState = target && target.moveId === source.moveId ? target.state : null;
  switch (source.state) {
    case 'active':
      return 'start';
    case 'draining':
      return 'drain';
    case 'locked':
      return targetState === 'copied' ? 'commit' : 'copy';
    case 'moved':
    case 'finished':
      if (targetState === 'copied') return 'activate';
      if (targetState === 'active') return 'done';
      return {
        problem: `The tutor has moved to ${source.otherOrigin}, but not with a move that --to has recorded.`,
      };
    case 'copied':
      break;
  }
  return {
    problem: `The tutor is still arriving from ${source.otherOrigin}. Complete that move first.`,
  };
}

/**
 * Why the move cannot continue with this target: it began with another one, which may already have a copy. Null if the
 * move can continue.
 */
export const findTargetMismatch = (source: MoveRecord | null, targetId: string): string | null =>
  source && source.state !== 'active' && source.targetId !== null && source.targetId !== targetId
    ? `This move goes to another installation than --to: ${source.otherOrigin}.`
    : null;

/**
 * Whether the rows left on the source can be deleted: the target serves the tutor after this move or a later one. Later
 * moves have higher ids.
 */
export const canFinish = (source: MoveRecord | null, target: MoveRecord | null): boolean =>
  source?.state === 'moved' && target?.state === 'active' && target.moveId >= source.moveId;

/** Why the target cannot take the tutor; null if it can. Rows of a tutor who has left the target are out of date. */
export const findTargetProblem = (target: MoveRecord | null, hasTutor: boolean): string | null =>
  hasTutor && target?.state !== 'moved' ? 'The tutor already exists on the target.' : null;
