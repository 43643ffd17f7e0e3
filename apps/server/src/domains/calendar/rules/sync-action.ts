import { type ConferenceState, conferenceRequest } from './google-meet-conference-state.ts';

/* Decides how to bring the calendar event of one session up to date. */

/** A session that belongs in the calendar. */
export interface DesiredEvent {
  fingerprint: string;
  startsAt: Date;
  endsAt: Date;
  /** Not completed yet, so it can still be moved. */
  isMovable: boolean;
  wantsConference: boolean;
  hasMeetLink: boolean;
}

/** What we know about the event in Google. */
export interface KnownState extends ConferenceState {
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
  now: Date,
): SyncAction {
  if (!known || known.removed) return desired ? 'insert' : 'nothing';
  if (!desired) return hasExternalChange ? 'overwrite' : 'remove';
  if (desired.fingerprint === known.rejectedHash) return 'nothing';
  if (hasExternalChange) {
    return desired.isMovable && isAtSyncedTime(desired, known) ? 'wait' : 'overwrite';
  }
  if (known.pendingHash !== null || known.etag === null) return 'inspect';
  if (known.syncedHash !== desired.fingerprint || known.overwriteRemote) return 'update';
  if (conferenceRequest(desired.wantsConference, known)) return 'update';
  return mustReadConference(desired, known, now) ? 'inspect' : 'nothing';
}

/** A pending conference is read until it has a link. A link is missing if Meet was switched off and on between two syncs. */
function mustReadConference(desired: DesiredEvent, known: KnownState, now: Date): boolean {
  const { conferenceStatus, conferenceCheckAt } = known;
  if (conferenceStatus === 'created') return !desired.hasMeetLink;
  return conferenceStatus === 'pending' && conferenceCheckAt !== null && conferenceCheckAt <= now;
}

/** Whether the session still has the times that were last synced. */
export const isAtSyncedTime = (desired: DesiredEvent, known: KnownState): boolean =>
  desired.startsAt.getTime() === known.syncedStartsAt?.getTime() &&
  desired.endsAt.getTime() === known.syncedEndsAt?.getTime();
