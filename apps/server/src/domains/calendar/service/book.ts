import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Appointment, EventFacts } from '../../../integrations/calendar.ts';
import { sha256 } from '../../../platform/crypto.ts';
import { contactReads } from '../../accounts/service/profile.ts';
import { type KnownEvent, knownEvents, type WantedRow, wantedSessions } from '../queries/events.ts';
import { openProposals, type ProposalRow } from '../queries/proposals.ts';
import { contentOf, summaryOf } from '../rules/appointment.ts';
import type { Seen } from '../rules/read-back.ts';
import { nextStep, type Step, type Wanted } from '../rules/step.ts';

/** Lessons that are over for longer than this are left as they are, on both sides. */
const LOOK_BACK_DAYS = 30;

/** One lesson on both sides. */
export interface Entry {
  sessionId: number;
  eventId: string;
  row: WantedRow | null;
  wanted: Wanted | null;
  known: KnownEvent | null;
  proposal: ProposalRow | null;
}

export interface Book {
  timeZone: string;
  /** By session, in the order of the calendar; those that no longer take place come first. */
  entries: Map<number, Entry>;
}

/** The book beside what is known of the calendar. */
export async function readBook(context: Context, tutorId: string, since: Date): Promise<Book> {
  const lookBack = addDays(context.clock.now(), -LOOK_BACK_DAYS);
  const from = since > lookBack ? since : lookBack;
  const [wanted, known, proposals, [tutor]] = await context.db.readTutor(tutorId, (tx) => [
    wantedSessions(tx, tutorId, from),
    knownEvents(tx, tutorId, from),
    openProposals(tx, tutorId),
    contactReads(tx, tutorId)[0],
  ]);
  if (!tutor) throw new Error('No such tutor');
  const proposed = new Map(proposals.map((each) => [each.sessionId, each]));
  const rows = new Map(wanted.map((each) => [each.id, each]));
  const events = new Map(known.map((each) => [each.sessionId, each]));
  const leaving = known.filter((each) => !rows.has(each.sessionId));
  const ids = [...leaving.map((each) => each.sessionId), ...rows.keys()];
  const entries = ids.map((sessionId): [number, Entry] => {
    const row = rows.get(sessionId) ?? null;
    const event = events.get(sessionId) ?? null;
    return [
      sessionId,
      {
        sessionId,
        eventId: event?.eventId ?? eventIdOf(row?.publicId ?? ''),
        row,
        wanted: row && asWanted(row),
        known: event,
        proposal: proposed.get(sessionId) ?? null,
      },
    ];
  });
  return { timeZone: tutor.timeZone, entries: new Map(entries) };
}

export const stepOf = (entry: Entry): Step =>
  nextStep(entry.wanted, entry.known, entry.proposal !== null);

/** Lessons that belong there, and how many are not there yet as they are in the book. */
export function countWaiting({ entries }: Book): { lessons: number; waiting: number } {
  const all = [...entries.values()];
  const idle = new Set<Step>(['nothing', 'hold']);
  return {
    lessons: all.filter((entry) => entry.wanted).length,
    waiting: all.filter((entry) => !idle.has(stepOf(entry))).length,
  };
}

export const hasRefused = ({ entries }: Book): boolean =>
  [...entries.values()].some(
    ({ wanted, known }) => wanted && known && known.refused === wanted.fingerprint,
  );

const asWanted = (row: WantedRow): Wanted => ({
  fingerprint: fingerprintOf({ ...row, summary: summaryOf(row) }),
  startsAt: row.startsAt,
  endsAt: row.endsAt,
  open: row.status === 'scheduled',
});

export function asAppointment(context: Context, timeZone: string, row: WantedRow): Appointment {
  const { publicId, place, startsAt, endsAt } = row;
  return {
    eventId: eventIdOf(publicId),
    sessionPublicId: publicId,
    summary: summaryOf(row),
    place,
    startsAt,
    endsAt,
    timeZone,
    url: `${context.config.origin}/sessions/${row.id}`,
  };
}

export const asSeen = (facts: EventFacts): Seen => ({
  deleted: facts.deleted,
  fingerprint: fingerprintOf(facts),
  startsAt: facts.startsAt,
  endsAt: facts.endsAt,
});

const fingerprintOf = (event: Parameters<typeof contentOf>[0]): string =>
  sha256(contentOf(event)).toString('base64url').slice(0, 22);

const DIGITS = '0123456789abcdefghijklmnopqrstuv';

/** The session's own id in the letters that Google allows: a repeat can never make a second event. */
export function eventIdOf(publicId: string): string {
  let bits = 0;
  let held = 0;
  let id = '';
  for (const byte of Buffer.from(publicId, 'base64url')) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      id += DIGITS[(held >> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? id + DIGITS[(held << (5 - bits)) & 31] : id;
}
