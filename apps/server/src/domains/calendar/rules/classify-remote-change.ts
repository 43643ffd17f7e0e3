import { isAtSyncedTime, type KnownState, REMOVING, type WantedEvent } from './sync-action.ts';

/** The event as Google has it. */
export interface RemoteState {
  deleted: boolean;
  fingerprint: string;
  startsAt: Date | null;
  endsAt: Date | null;
}

export type RemoteChangeKind =
  /** Equal to the session. */
  | 'in_sync'
  /** A version that we sent earlier; the session has changed since. */
  | 'stale'
  /** Differs from the session, and the tutor need not decide: our version replaces it. */
  | 'overwrite'
  /** Missing in Google, but not deleted by the tutor. */
  | 'insert'
  | 'moved'
  | 'deleted';

export function classifyRemoteChange(
  remote: RemoteState | null,
  known: KnownState,
  wanted: WantedEvent,
): RemoteChangeKind {
  // Not confirmed as synced since it was inserted, or our version was chosen explicitly.
  const isOurs =
    known.overwriteRemote || known.syncedHash === null || known.pendingHash === REMOVING;
  // When it moved on both sides, our version wins. Completed sessions are not moved.
  const mayPropose = !isOurs && wanted.open && isAtSyncedTime(wanted, known);
  if (remote === null) return mayPropose ? 'deleted' : 'insert';
  if (remote.deleted) return mayPropose ? 'deleted' : 'overwrite';
  if (remote.fingerprint === wanted.fingerprint) return 'in_sync';
  if (isOurs) return 'overwrite';
  if (remote.fingerprint === known.syncedHash || remote.fingerprint === known.pendingHash) {
    return 'stale';
  }
  if (isAt(remote, known.syncedStartsAt, known.syncedEndsAt)) return 'overwrite';
  if (isAt(remote, wanted.startsAt, wanted.endsAt)) return 'overwrite';
  return mayPropose ? 'moved' : 'overwrite';
}

const isAt = (remote: RemoteState, startsAt: Date | null, endsAt: Date | null): boolean =>
  remote.startsAt?.getTime() === startsAt?.getTime() &&
  remote.endsAt?.getTime() === endsAt?.getTime();
