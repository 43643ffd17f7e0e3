import { isAtSyncedTime, type KnownState, REMOVING, type WantedEvent } from './sync-action.ts';

/** How the event stands in Google. */
export interface RemoteState {
  deleted: boolean;
  fingerprint: string;
  startsAt: Date | null;
  endsAt: Date | null;
}

export type RemoteChangeKind =
  /** Exactly as in the book. */
  | 'in step'
  /** Something that we sent ourselves, though no longer what the book says. */
  | 'ours'
  /** Not as in the book, and nobody has to be asked: it is written over. */
  | 'write over'
  /** It is not there and belongs there, and nobody took it out. */
  | 'insert'
  | 'moved'
  | 'deleted';

/** What it means that Google has a lesson like this, or not at all. */
export function classifyRemoteChange(
  seen: RemoteState | null,
  known: KnownState,
  wanted: WantedEvent,
): RemoteChangeKind {
  // Never certainly sent in this life, or the book was given the last word.
  const isOurs = known.forced || known.sent === null || known.sending === REMOVING;
  // Moved on both sides: the book has the last word. What was taught stays where it was.
  const mayAsk = !isOurs && wanted.open && isAtSyncedTime(wanted, known);
  if (seen === null) return mayAsk ? 'deleted' : 'insert';
  if (seen.deleted) return mayAsk ? 'deleted' : 'write over';
  if (seen.fingerprint === wanted.fingerprint) return 'in step';
  if (isOurs) return 'write over';
  if (seen.fingerprint === known.sent || seen.fingerprint === known.sending) return 'ours';
  if (isAt(seen, known.sentStartsAt, known.sentEndsAt)) return 'write over';
  if (isAt(seen, wanted.startsAt, wanted.endsAt)) return 'write over';
  return mayAsk ? 'moved' : 'write over';
}

const isAt = (seen: RemoteState, startsAt: Date | null, endsAt: Date | null): boolean =>
  seen.startsAt?.getTime() === startsAt?.getTime() && seen.endsAt?.getTime() === endsAt?.getTime();
