/* Decides what has to be done about one session to bring its calendar event up to date. */

/** A session that belongs in the calendar. */
export interface WantedEvent {
  fingerprint: string;
  startsAt: Date;
  endsAt: Date;
  /** Not completed yet, so it can still be moved. */
  open: boolean;
}

/** What we know about the event in Google. */
export interface KnownState {
  etag: string | null;
  syncedHash: string | null;
  syncedStartsAt: Date | null;
  syncedEndsAt: Date | null;
  pendingHash: string | null;
  overwriteRemote: boolean;
  /** We deleted the event. */
  removed: boolean;
  rejectedHash: string | null;
}

/** Value of `pendingHash` while a deletion is unconfirmed. */
export const REMOVING = 'removing';

export type SyncAction =
  | 'nothing'
  | 'insert'
  | 'update'
  | 'remove'
  /** The remote state is uncertain: read it first. */
  | 'inspect'
  /** The tutor has not decided about a change made in Google. */
  | 'wait'
  /** The session has changed since: drop the proposed change and write our version. */
  | 'overwrite';

export function nextSyncAction(
  wanted: WantedEvent | null,
  known: KnownState | null,
  hasExternalChange: boolean,
): SyncAction {
  if (!known || known.removed) return wanted ? 'insert' : 'nothing';
  if (!wanted) return hasExternalChange ? 'overwrite' : 'remove';
  if (wanted.fingerprint === known.rejectedHash) return 'nothing';
  if (hasExternalChange) {
    return wanted.open && isAtSyncedTime(wanted, known) ? 'wait' : 'overwrite';
  }
  if (known.pendingHash !== null || known.etag === null) return 'inspect';
  return known.syncedHash === wanted.fingerprint && !known.overwriteRemote ? 'nothing' : 'update';
}

/** The session still has the times that were synced last. */
export const isAtSyncedTime = (wanted: WantedEvent, known: KnownState): boolean =>
  wanted.startsAt.getTime() === known.syncedStartsAt?.getTime() &&
  wanted.endsAt.getTime() === known.syncedEndsAt?.getTime();
