import { type DesiredEvent, isAtSyncedTime, type KnownState, REMOVING } from './sync-action.ts';

/** The event as it is in Google. */
export interface RemoteState {
  deleted: boolean;
  fingerprint: string;
  startsAt: Date | null;
  endsAt: Date | null;
}

export type RemoteChangeKind =
  /** Matches the session. */
  | 'in_sync'
  /** Matches a version we sent earlier; the session has changed since. */
  | 'stale'
  /** Differs from the session, but the tutor does not need to decide: our version replaces it. */
  | 'overwrite'
  /** Missing from Google, but not deleted by the tutor. */
  | 'insert'
  | 'moved'
  | 'deleted';

export function classifyRemoteChange(
  remote: RemoteState | null,
  known: KnownState,
  desired: DesiredEvent,
): RemoteChangeKind {
  // Our version wins if the tutor chose it, the event was never confirmed as synced, or our deletion is unconfirmed.
  const ourVersionWins =
    known.overwriteRemote || known.syncedHash === null || known.pendingHash === REMOVING;
  // If it was moved on both sides, our version wins. Completed sessions cannot be moved.
  const needsTutorDecision = !ourVersionWins && desired.isMovable && isAtSyncedTime(desired, known);
  if (remote === null) return needsTutorDecision ? 'deleted' : 'insert';
  if (remote.deleted) return needsTutorDecision ? 'deleted' : 'overwrite';
  if (remote.fingerprint === desired.fingerprint) return 'in_sync';
  if (ourVersionWins) return 'overwrite';
  if (remote.fingerprint === known.syncedHash || remote.fingerprint === known.pendingHash) {
    return 'stale';
  }
  if (hasTimes(remote, known.syncedStartsAt, known.syncedEndsAt)) return 'overwrite';
  if (hasTimes(remote, desired.startsAt, desired.endsAt)) return 'overwrite';
  return needsTutorDecision ? 'moved' : 'overwrite';
}

const hasTimes = (remote: RemoteState, startsAt: Date | null, endsAt: Date | null): boolean =>
  remote.startsAt?.getTime() === startsAt?.getTime() &&
  remote.endsAt?.getTime() === endsAt?.getTime();
