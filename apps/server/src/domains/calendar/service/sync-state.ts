import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { CalendarEvent, RemoteEvent } from '../../../integrations/calendar-provider.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import { tutorContactQueries } from '../../accounts/service/profile/profile.ts';
import {
  type KnownEvent,
  knownEvents,
  type WantedSessionRow,
  wantedSessions,
} from '../queries/events.ts';
import { type ExternalChangeRow, openExternalChanges } from '../queries/external-changes.ts';
import type { RemoteState } from '../rules/classify-remote-change.ts';
import { eventSummary, serializeContent } from '../rules/event-content.ts';
import { nextSyncAction, type SyncAction, type WantedEvent } from '../rules/sync-action.ts';

/** Lessons that are over for longer than this are left as they are, on both sides. */
const LOOKBACK_DAYS = 30;

/** One lesson on both sides. */
export interface SyncEntry {
  sessionId: number;
  eventId: string;
  row: WantedSessionRow | null;
  wanted: WantedEvent | null;
  known: KnownEvent | null;
  externalChange: ExternalChangeRow | null;
}

export interface SyncState {
  timeZone: string;
  /** By session, in the order of the calendar; those that no longer take place come first. */
  entries: Map<number, SyncEntry>;
}

/** The book beside what is known of the calendar. */
export async function readSyncState(
  context: Context,
  tutorId: string,
  since: Date,
): Promise<SyncState> {
  const lookBack = addDays(context.clock.now(), -LOOKBACK_DAYS);
  const from = since > lookBack ? since : lookBack;
  const [wanted, known, proposals, [tutor]] = await context.db.tutorRead(tutorId, (tx) => [
    wantedSessions(tx, tutorId, from),
    knownEvents(tx, tutorId, from),
    openExternalChanges(tx, tutorId),
    tutorContactQueries(tx, tutorId)[0],
  ]);
  if (!tutor) throw new Error('No such tutor');
  const proposed = new Map(proposals.map((each) => [each.sessionId, each]));
  const rows = new Map(wanted.map((each) => [each.id, each]));
  const events = new Map(known.map((each) => [each.sessionId, each]));
  const leaving = known.filter((each) => !rows.has(each.sessionId));
  const ids = [...leaving.map((each) => each.sessionId), ...rows.keys()];
  const entries = ids.map((sessionId): [number, SyncEntry] => {
    const row = rows.get(sessionId) ?? null;
    const event = events.get(sessionId) ?? null;
    return [
      sessionId,
      {
        sessionId,
        eventId: event?.eventId ?? toEventId(row?.publicId ?? ''),
        row,
        wanted: row && toWantedEvent(row),
        known: event,
        externalChange: proposed.get(sessionId) ?? null,
      },
    ];
  });
  return { timeZone: tutor.timeZone, entries: new Map(entries) };
}

export const syncActionOf = (entry: SyncEntry): SyncAction =>
  nextSyncAction(entry.wanted, entry.known, entry.externalChange !== null);

/** Lessons that belong there, and how many are not there yet as they are in the book. */
export function countPending({ entries }: SyncState): { lessons: number; waiting: number } {
  const all = [...entries.values()];
  const idle = new Set<SyncAction>(['nothing', 'hold']);
  return {
    lessons: all.filter((entry) => entry.wanted).length,
    waiting: all.filter((entry) => !idle.has(syncActionOf(entry))).length,
  };
}

export const hasRejected = ({ entries }: SyncState): boolean =>
  [...entries.values()].some(
    ({ wanted, known }) => wanted && known && known.refused === wanted.fingerprint,
  );

const toWantedEvent = (row: WantedSessionRow): WantedEvent => ({
  fingerprint: fingerprintOf({ ...row, summary: eventSummary(row) }),
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  open: row.status === 'scheduled',
});

export function toCalendarEvent(
  context: Context,
  timeZone: string,
  row: WantedSessionRow,
): CalendarEvent {
  const { publicId, place, startsAt, endsAt } = row;
  return {
    eventId: toEventId(publicId),
    sessionPublicId: publicId,
    summary: eventSummary(row),
    place,
    startsAt,
    endsAt,
    timeZone,
    url: `${context.config.origin}/sessions/${row.id}`,
  };
}

export const toRemoteState = (facts: RemoteEvent): RemoteState => ({
  deleted: facts.deleted,
  fingerprint: fingerprintOf(facts),
  startsAt: facts.startsAt,
  endsAt: facts.endsAt,
});

const fingerprintOf = (event: Parameters<typeof serializeContent>[0]): string =>
  sha256(serializeContent(event)).toString('base64url').slice(0, 22);

const BASE32_DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** The session's own id in the letters that Google allows: a repeat can never make a second event. */
export function toEventId(publicId: string): string {
  let bits = 0;
  let held = 0;
  let id = '';
  for (const byte of Buffer.from(publicId, 'base64url')) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += BASE32_DIGITS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? id + BASE32_DIGITS[(held << (5 - bits)) & 31] : id;
}
