import type { CalendarStatus } from '@lessonbook/contract/calendar';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import {
  type KnownEvent,
  knownEvents,
  type SessionToSync,
  sessionsToSync,
} from '../queries/events.ts';
import { type ExternalChangeRow, unresolvedExternalChanges } from '../queries/external-changes.ts';
import { eventSummary } from '../rules/event-title-and-fingerprint.ts';
import { type DesiredEvent, nextSyncAction, type SyncAction } from '../rules/sync-action.ts';
import { fingerprintOf, toEventId } from './calendar-event.ts';

/** A session is not synced if both the session and its event ended more than this many days ago. */
const LOOKBACK_DAYS = 30;

/** A session and its calendar event. */
export interface SyncEntry {
  sessionId: number;
  eventId: string;
  row: SessionToSync | null;
  desired: DesiredEvent | null;
  known: KnownEvent | null;
  externalChange: ExternalChangeRow | null;
}

export interface SyncState {
  timeZone: string;
  /** Keyed by session id, in calendar order; sessions that no longer take place come first. */
  entries: Map<number, SyncEntry>;
}

/** Reads the sessions together with the known state of their events. */
export async function getSyncState(
  context: Context,
  tx: Tx,
  tutorId: string,
  syncedFrom: Date,
): Promise<SyncState> {
  const updateFrom = add24HourDays(context.clock.now(), -LOOKBACK_DAYS);
  const window = { updateFrom, insertFrom: syncedFrom > updateFrom ? syncedFrom : updateFrom };
  const [sessions, known, changes, tutors] = await executeBatch(tx, [
    sessionsToSync(tx, tutorId, window),
    knownEvents(tx, tutorId, window),
    unresolvedExternalChanges(tx, tutorId),
    tutorQuery(tx, tutorId),
  ]);
  const changesBySession = new Map(changes.map((change) => [change.sessionId, change]));
  const rows = new Map(sessions.map((row) => [row.id, row]));
  const events = new Map(known.map((event) => [event.sessionId, event]));
  const eventsToRemove = known.filter((event) => !rows.has(event.sessionId));
  const ids = [...eventsToRemove.map((event) => event.sessionId), ...rows.keys()];
  const entries = ids.map((sessionId): [number, SyncEntry] => {
    const row = rows.get(sessionId) ?? null;
    const event = events.get(sessionId) ?? null;
    return [
      sessionId,
      {
        sessionId,
        eventId: event?.eventId ?? toEventId(row?.publicId ?? ''),
        row,
        desired: row && toDesiredEvent(row),
        known: event,
        externalChange: changesBySession.get(sessionId) ?? null,
      },
    ];
  });
  return { timeZone: toTutorOrThrow(tutors).timeZone, entries: new Map(entries) };
}

export const syncActionFor = (entry: SyncEntry, now: Date): SyncAction =>
  nextSyncAction(entry.desired, entry.known, entry.externalChange !== null, now);

/** Counts the sessions that belong in the calendar, those not synced yet, and upcoming ones without a Google Meet link. */
export function countSyncEntries(
  { entries }: SyncState,
  now: Date,
): Pick<CalendarStatus, 'lessons' | 'waiting' | 'meetFailures'> {
  const all = [...entries.values()];
  const idleActions = new Set<SyncAction>(['nothing', 'wait']);
  return {
    lessons: all.filter((entry) => entry.desired).length,
    waiting: all.filter((entry) => !idleActions.has(syncActionFor(entry, now))).length,
    meetFailures: all.filter(
      ({ desired, known }) =>
        desired?.wantsConference && desired.endsAt > now && known?.conferenceStatus === 'failed',
    ).length,
  };
}

export const hasRejectedEvent = ({ entries }: SyncState): boolean =>
  [...entries.values()].some(
    ({ desired, known }) => desired && known && known.rejectedHash === desired.fingerprint,
  );

/** When a pending conference is next checked; null if none is pending. */
export function nextConferenceCheck({ entries }: SyncState): Date | null {
  const times = [...entries.values()].flatMap(({ desired, known }) =>
    desired?.wantsConference && known?.conferenceCheckAt ? [known.conferenceCheckAt.getTime()] : [],
  );
  return times.length > 0 ? new Date(Math.min(...times)) : null;
}

const toDesiredEvent = (row: SessionToSync): DesiredEvent => ({
  fingerprint: fingerprintOf({ ...row, summary: eventSummary(row) }),
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  isMovable: row.status === 'scheduled',
  wantsConference: row.usesGoogleMeet,
  hasMeetLink: row.meetLink !== null,
});
