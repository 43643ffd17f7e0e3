import type { Context } from '../../../context.ts';
import type { RemoteEvent, TutorCalendar } from '../../../integrations/calendar-provider.ts';
import { nextIds } from '../../../platform/db/id-sequence.ts';
import { externalChangeDetected } from '../events.ts';
import { holdsLease } from '../queries/connections.ts';
import { type EventChange, saveEvent } from '../queries/events.ts';
import { insertExternalChange, resolveExternalChange } from '../queries/external-changes.ts';
import { toLocalSlot } from '../rules/to-local-slot.ts';
import { type SyncEntry, type SyncState, toRemoteState } from './sync-state.ts';

interface HeldLease {
  lease: Date;
  sealedToken: string;
}

/** Requests of one turn; then the others have theirs. */
const MAX_REQUESTS_PER_RUN = 60;
const MAX_RUN_MS = 2_000;

/** Somebody else has taken over, or the tutor has disconnected or connected anew: whatever we know is old. */
export class LeaseLost extends Error {
  override readonly name = 'TurnLost';
}

/** One worker's turn at one tutor's calendar. What is found out is written down at once, in the database and in the book. */
export class SyncRun {
  readonly context: Context;
  readonly tutorId: string;
  readonly calendarId: string;
  readonly state: SyncState;
  readonly #calendar: TutorCalendar;
  readonly #held: HeldLease;
  readonly #startedAt = performance.now();
  requests = 0;

  constructor(
    context: Context,
    tutorId: string,
    options: { calendar: TutorCalendar; calendarId: string; book: SyncState; held: HeldLease },
  ) {
    this.context = context;
    this.tutorId = tutorId;
    this.#calendar = options.calendar;
    this.#held = options.held;
    this.calendarId = options.calendarId;
    this.state = options.book;
  }

  /** Every request goes through here, so that they are counted. */
  get calendar(): TutorCalendar {
    this.requests += 1;
    return this.#calendar;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedAt;
  }

  get isBudgetSpent(): boolean {
    return this.requests >= MAX_REQUESTS_PER_RUN || this.elapsedMs >= MAX_RUN_MS;
  }

  async saveEntry(entry: SyncEntry, change: EventChange): Promise<void> {
    const { tutorId, context } = this;
    await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
      if (!(await holdsLease(tx, tutorId, this.#held))) throw new LeaseLost();
      await saveEvent(tx, tutorId, entry, change);
    });
    const before = entry.known ?? {
      sessionId: entry.sessionId,
      eventId: entry.eventId,
      etag: null,
      sent: null,
      sentStartsAt: null,
      sentEndsAt: null,
      sending: null,
      forced: false,
      removed: false,
      refused: null,
    };
    entry.known = { ...before, ...change };
  }

  /** It certainly stands there like this. */
  async markSynced(
    entry: SyncEntry,
    etag: string,
    what: { fingerprint: string; startsAt: Date | null; endsAt: Date | null },
    forced = false,
  ): Promise<void> {
    await this.saveEntry(entry, {
      etag,
      sent: what.fingerprint,
      sentStartsAt: what.startsAt,
      sentEndsAt: what.endsAt,
      sending: null,
      forced,
      removed: false,
      refused: null,
    });
  }

  /** It certainly stands there no more. */
  async markRemoved(entry: SyncEntry): Promise<void> {
    await this.saveEntry(entry, {
      etag: null,
      sent: null,
      sentStartsAt: null,
      sentEndsAt: null,
      sending: null,
      forced: false,
      removed: true,
    });
  }

  async dropExternalChange(entry: SyncEntry): Promise<void> {
    if (!entry.externalChange) return;
    const { tutorId, context } = this;
    const { sessionId } = entry;
    await context.db.tutorTransaction(tutorId, (tx) =>
      resolveExternalChange(tx, tutorId, { sessionId }, 'dropped'),
    );
    entry.externalChange = null;
  }

  /** The tutor did this in Google: asked about once, however often it is seen. */
  async recordExternalChange(
    entry: SyncEntry,
    kind: 'moved' | 'deleted',
    facts: RemoteEvent | null,
  ): Promise<void> {
    const { tutorId, context, state } = this;
    const { sessionId, row } = entry;
    if (!row) return;
    const seen = kind === 'moved' && facts ? toRemoteState(facts) : null;
    const startsAt = seen?.startsAt ?? null;
    const endsAt = seen?.endsAt ?? null;
    const { externalChange } = entry;
    const alreadyRecorded =
      externalChange?.kind === kind &&
      externalChange.startsAt?.getTime() === startsAt?.getTime() &&
      externalChange.endsAt?.getTime() === endsAt?.getTime();
    if (!alreadyRecorded) {
      const slot = toLocalSlot(state.timeZone, startsAt, endsAt);
      const now = context.clock.now();
      await context.db.tutorTransaction(tutorId, async (tx) => {
        await resolveExternalChange(tx, tutorId, { sessionId }, 'dropped');
        const [id] = (await nextIds(tx, tutorId, 'external-change')) as [number];
        await insertExternalChange(tx, tutorId, { id, sessionId, kind, startsAt, endsAt, now });
        const { studentName, date, startTime } = row;
        const to = kind === 'deleted' ? null : (slot ?? ('unfit' as const));
        const occasion = `calendar proposal ${id}`;
        const fact = { tutorId, sessionId, studentName, date, startTime, to, occasion };
        await context.events.publish(tx, externalChangeDetected, fact);
        entry.externalChange = { ...row, id, sessionId, kind, startsAt, endsAt };
      });
    }
    // Not a version that we know: should the question be dropped, what is there is judged anew.
    await this.saveEntry(entry, { etag: null, sending: null });
  }
}
