import type { Context } from '../../../context.ts';
import type {
  RemoteEvent,
  TutorCalendar,
  WrittenEvent,
} from '../../../integrations/calendar-provider.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { externalChangeDetected } from '../events.ts';
import { type ConnectionChange, holdsLease, updateConnection } from '../queries/connections.ts';
import { type EventChange, saveEvent, saveMeetLink } from '../queries/events.ts';
import { insertExternalChange, resolveExternalChange } from '../queries/external-changes.ts';
import { NO_CONFERENCE, nextConferenceState } from '../rules/google-meet-conference-state.ts';
import { toLocalSlot } from '../rules/to-local-slot.ts';
import { toRemoteState } from './calendar-event.ts';
import { type SyncEntry, type SyncState } from './sync-entries.ts';

interface HeldLease {
  lease: Date;
  encryptedToken: string;
}

/** Limits for one run, so that one tutor does not delay the others. */
const MAX_REQUESTS_PER_RUN = 60;
const MAX_RUN_MS = 2_000;

/** Another worker has taken over, or the tutor has disconnected or reconnected, so our state is out of date. */
export class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

/** One sync of one tutor's calendar. Each result is saved immediately, both in the database and in `state`. */
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
    options: { calendar: TutorCalendar; calendarId: string; state: SyncState; held: HeldLease },
  ) {
    this.context = context;
    this.tutorId = tutorId;
    this.#calendar = options.calendar;
    this.#held = options.held;
    this.calendarId = options.calendarId;
    this.state = options.state;
  }

  /** Each access counts as one request. */
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

  async saveConnection(change: ConnectionChange): Promise<void> {
    const { tutorId, context } = this;
    await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
      await this.assertLease(tx);
      await updateConnection(tx, tutorId, change);
    });
  }

  /** A new link is saved with the state of its conference, so that it is not lost in a crash. */
  async saveEntry(
    entry: SyncEntry,
    change: EventChange,
    newLink: string | null = null,
  ): Promise<void> {
    const { tutorId, context } = this;
    const save = async (tx: Tx) => {
      await this.assertLease(tx);
      await saveEvent(tx, tutorId, entry, change);
      if (newLink !== null) await saveMeetLink(tx, tutorId, entry.sessionId, newLink);
    };
    await (newLink === null
      ? context.db.tutorTransactionUnlocked(tutorId, save)
      : context.db.tutorTransaction(tutorId, save));
    if (newLink !== null && entry.row && entry.desired) {
      entry.row.meetLink = newLink;
      entry.desired.hasMeetLink = true;
    }
    const before = entry.known ?? {
      ...NO_CONFERENCE,
      sessionId: entry.sessionId,
      eventId: entry.eventId,
      etag: null,
      syncedHash: null,
      syncedStartsAt: null,
      syncedEndsAt: null,
      pendingHash: null,
      overwriteRemote: false,
      removed: false,
      rejectedHash: null,
    };
    entry.known = { ...before, ...change };
  }

  /** Each write checks the lease in its own transaction, because the run's state was read before. */
  async assertLease(tx: Tx): Promise<void> {
    if (!(await holdsLease(tx, this.tutorId, this.#held))) throw new LeaseLostError();
  }

  /** Called when Google has confirmed this content, in response either to a write with `request` or to a read. */
  async markSynced(
    entry: SyncEntry,
    { etag, conference }: WrittenEvent,
    content: { fingerprint: string; startsAt: Date | null; endsAt: Date | null },
    request: 'create' | 'remove' | null = null,
  ): Promise<void> {
    const isWanted = entry.desired?.wantsConference ?? false;
    const now = this.context.clock.now();
    const link = conference?.status === 'created' ? conference.link : null;
    await this.saveEntry(
      entry,
      {
        etag,
        syncedHash: content.fingerprint,
        syncedStartsAt: content.startsAt,
        syncedEndsAt: content.endsAt,
        pendingHash: null,
        overwriteRemote: false,
        removed: false,
        rejectedHash: null,
        ...nextConferenceState(entry.known ?? NO_CONFERENCE, conference?.status ?? null, {
          isWanted,
          request,
          now,
        }),
      },
      isWanted && link !== entry.row?.meetLink ? link : null,
    );
  }

  /** Called when Google has confirmed that the event no longer exists. */
  async markRemoved(entry: SyncEntry): Promise<void> {
    await this.saveEntry(entry, {
      etag: null,
      syncedHash: null,
      syncedStartsAt: null,
      syncedEndsAt: null,
      pendingHash: null,
      overwriteRemote: false,
      removed: true,
    });
  }

  async dropExternalChange(entry: SyncEntry): Promise<void> {
    if (!entry.externalChange) return;
    const { tutorId, context } = this;
    const { sessionId } = entry;
    await context.db.tutorTransaction(tutorId, async (tx) => {
      await this.assertLease(tx);
      await resolveExternalChange(tx, tutorId, { sessionId }, 'dropped');
    });
    entry.externalChange = null;
  }

  /** Records a change that the tutor made in Google. The same change is recorded only once. */
  async recordExternalChange(
    entry: SyncEntry,
    kind: 'moved' | 'deleted',
    event: RemoteEvent | null,
  ): Promise<void> {
    const { tutorId, context, state } = this;
    const { sessionId, row } = entry;
    if (!row) return;
    const remote = kind === 'moved' && event ? toRemoteState(event) : null;
    const startsAt = remote?.startsAt ?? null;
    const endsAt = remote?.endsAt ?? null;
    const { externalChange } = entry;
    const isAlreadyRecorded =
      externalChange?.kind === kind &&
      externalChange.startsAt?.getTime() === startsAt?.getTime() &&
      externalChange.endsAt?.getTime() === endsAt?.getTime();
    if (!isAlreadyRecorded) {
      const slot = toLocalSlot(state.timeZone, startsAt, endsAt);
      const now = context.clock.now();
      await context.db.tutorTransaction(tutorId, async (tx) => {
        await this.assertLease(tx);
        await resolveExternalChange(tx, tutorId, { sessionId }, 'dropped');
        const [id] = (await nextIdsForKind(tx, tutorId, 'external-change')) as [number];
        await insertExternalChange(tx, tutorId, { id, sessionId, kind, startsAt, endsAt, now });
        const { studentNames, date, startTime } = row;
        const studentName = studentNames.join(', ');
        const to = kind === 'deleted' ? null : (slot ?? ('invalid' as const));
        const dedupeKey = `external change ${id}`;
        const payload = { tutorId, sessionId, studentName, date, startTime, to, dedupeKey };
        await context.events.publish(tx, externalChangeDetected, payload);
        entry.externalChange = { ...row, id, sessionId, kind, startsAt, endsAt };
      });
    }
    // Clear the etag, so that the event is classified again if this change is dropped.
    await this.saveEntry(entry, { etag: null, pendingHash: null });
  }
}
