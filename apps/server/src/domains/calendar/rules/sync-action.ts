/* Decides how to bring the calendar event of one session up to date. */

/** A session that belongs in the calendar. */
export interface DesiredEvent {
  fingerprint: string;
  startsAt: Date;
  endsAt: Date;
  /** Not completed yet, so it can still be moved. */
  isMovable: boolean;
}

/** What we know about the event in Google. */
export interface KnownState {
  etag: string | null;
  syncedHash: string | null;
  syncedStartsAt: Date | null;
  syncedEndsAt: Date | null;
  pendingHash: string | null;
  overwriteRemote: boolean;
  /** Whether we have deleted the event. */
  removed: boolean;
  rejectedHash: string | null;
}

/** The value of `pendingHash` while a deletion is unconfirmed. */
export const REMOVING = 'removing';

export type SyncAction =
  | 'nothing'
  | 'insert'
  | 'update'
  | 'remove'
  /** The remote state is uncertain and must be read first. */
  | 'inspect'
  /** The tutor has not yet decided on a change made in Google. */
  | 'wait'
  /** The session has changed since the change in Google: drop that change and write our version. */
  | 'overwrite';

export function nextSyncAction(
  desired: DesiredEvent | null,
  known: KnownState | null,
  hasExternalChange: boolean,
): SyncAction {
  if (!known || known.removed) return desired ? 'insert' : 'nothing';
  if (!desired) return hasExternalChange ? 'overwrite' : 'remove';
  if (desired.fingerprint === known.rejectedHash) return 'nothing';
  if (hasExternalChange) {
    return desired.isMovable && isAtSyncedTime(desired, known) ? 'wait' : 'overwrite';
  }
  if (known.pendingHash !== null || known.etag === null) return 'inspect';
  return known.syncedHash === desired.fingerprint && !known.overwriteRemote ? 'nothing' : 'update';
}

/** Whether the session still has the times that were last synced. */
export const isAtSyncedTime = (desired: DesiredEvent, known: KnownState): boolean =>
  desired.startsAt.getTime() === known.syncedStartsAt?.getTime() &&
  desired.endsAt.getTime() === known.syncedEndsAt?.getTime();
