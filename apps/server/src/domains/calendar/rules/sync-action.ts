/* What is to be done about one lesson, so that the calendar says what the book says. */

/** A lesson that belongs into the calendar. */
export interface WantedEvent {
  fingerprint: string;
  startsAt: Date;
  endsAt: Date;
  /** Still to come or to be ticked off, so that it can be moved. */
  open: boolean;
}

/** What we know of its event. */
export interface KnownState {
  etag: string | null;
  sent: string | null;
  sentStartsAt: Date | null;
  sentEndsAt: Date | null;
  sending: string | null;
  forced: boolean;
  /** Taken out by us; it should not be there any more. */
  removed: boolean;
  refused: string | null;
}

/** In `sending`: it was being taken out when nothing more was heard. */
export const REMOVING = 'removing';

export type SyncAction =
  | 'nothing'
  | 'insert'
  | 'update'
  | 'remove'
  /** What is there is not certain: it is looked at first. */
  | 'look'
  /** The tutor did something in Google and has not been asked yet. */
  | 'hold'
  /** The book has moved on: what was proposed is moot, and written over. */
  | 'overrule';

export function nextSyncAction(
  wanted: WantedEvent | null,
  known: KnownState | null,
  proposed: boolean,
): SyncAction {
  if (!known || known.removed) return wanted ? 'insert' : 'nothing';
  if (!wanted) return proposed ? 'overrule' : 'remove';
  if (wanted.fingerprint === known.refused) return 'nothing';
  if (proposed) return wanted.open && isAtSyncedTime(wanted, known) ? 'hold' : 'overrule';
  if (known.sending !== null || known.etag === null) return 'look';
  return known.sent === wanted.fingerprint && !known.forced ? 'nothing' : 'update';
}

/** The book has it at the time that was sent last. */
export const isAtSyncedTime = (wanted: WantedEvent, known: KnownState): boolean =>
  wanted.startsAt.getTime() === known.sentStartsAt?.getTime() &&
  wanted.endsAt.getTime() === known.sentEndsAt?.getTime();
