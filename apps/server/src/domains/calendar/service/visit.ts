import type { Context } from '../../../context.ts';
import type { EventFacts, TutorCalendar } from '../../../integrations/calendar.ts';
import { takeIds } from '../../../platform/counters.ts';
import { calendarProposed } from '../events.ts';
import { type EventChange, saveEvent } from '../queries/events.ts';
import { holdsLease } from '../queries/links.ts';
import { endProposal, insertProposal } from '../queries/proposals.ts';
import { onTheWall } from '../rules/lesson-place.ts';
import { asSeen, type Book, type Entry } from './book.ts';

interface Held {
  lease: Date;
  sealedToken: string;
}

/** Requests of one turn; then the others have theirs. */
const TURN_REQUESTS = 60;
const TURN_MS = 2_000;

/** Somebody else has taken over, or the tutor has disconnected or connected anew: whatever we know is old. */
export class TurnLost extends Error {
  override readonly name = 'TurnLost';
}

/** One worker's turn at one tutor's calendar. What is found out is written down at once, in the database and in the book. */
export class Visit {
  readonly context: Context;
  readonly tutorId: string;
  readonly calendarId: string;
  readonly book: Book;
  readonly #calendar: TutorCalendar;
  readonly #held: Held;
  readonly #begunAt = performance.now();
  requests = 0;

  constructor(
    context: Context,
    tutorId: string,
    place: { calendar: TutorCalendar; calendarId: string; book: Book; held: Held },
  ) {
    this.context = context;
    this.tutorId = tutorId;
    this.#calendar = place.calendar;
    this.#held = place.held;
    this.calendarId = place.calendarId;
    this.book = place.book;
  }

  /** Every request goes through here, so that they are counted. */
  get calendar(): TutorCalendar {
    this.requests += 1;
    return this.#calendar;
  }

  get tookMs(): number {
    return performance.now() - this.#begunAt;
  }

  get isOver(): boolean {
    return this.requests >= TURN_REQUESTS || this.tookMs >= TURN_MS;
  }

  async note(entry: Entry, change: EventChange): Promise<void> {
    const { tutorId, context } = this;
    await context.db.besideTutor(tutorId, async (tx) => {
      if (!(await holdsLease(tx, tutorId, this.#held))) throw new TurnLost();
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
  async noteArrived(
    entry: Entry,
    etag: string,
    what: { fingerprint: string; startsAt: Date | null; endsAt: Date | null },
    forced = false,
  ): Promise<void> {
    await this.note(entry, {
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
  async noteRemoved(entry: Entry): Promise<void> {
    await this.note(entry, {
      etag: null,
      sent: null,
      sentStartsAt: null,
      sentEndsAt: null,
      sending: null,
      forced: false,
      removed: true,
    });
  }

  async drop(entry: Entry): Promise<void> {
    if (!entry.proposal) return;
    const { tutorId, context } = this;
    const { sessionId } = entry;
    await context.db.withTutor(tutorId, (tx) => endProposal(tx, tutorId, { sessionId }, 'dropped'));
    entry.proposal = null;
  }

  /** The tutor did this in Google: asked about once, however often it is seen. */
  async propose(entry: Entry, kind: 'moved' | 'deleted', facts: EventFacts | null): Promise<void> {
    const { tutorId, context, book } = this;
    const { sessionId, row } = entry;
    if (!row) return;
    const seen = kind === 'moved' && facts ? asSeen(facts) : null;
    const startsAt = seen?.startsAt ?? null;
    const endsAt = seen?.endsAt ?? null;
    const { proposal } = entry;
    const said =
      proposal?.kind === kind &&
      proposal.startsAt?.getTime() === startsAt?.getTime() &&
      proposal.endsAt?.getTime() === endsAt?.getTime();
    if (!said) {
      const wall = onTheWall(book.timeZone, startsAt, endsAt);
      const now = context.clock.now();
      await context.db.withTutor(tutorId, async (tx) => {
        await endProposal(tx, tutorId, { sessionId }, 'dropped');
        const [id] = (await takeIds(tx, tutorId, 'external-change')) as [number];
        await insertProposal(tx, tutorId, { id, sessionId, kind, startsAt, endsAt, now });
        const { studentName, date, startTime } = row;
        const to = kind === 'deleted' ? null : (wall ?? ('unfit' as const));
        const occasion = `calendar proposal ${id}`;
        const fact = { tutorId, sessionId, studentName, date, startTime, to, occasion };
        await context.events.publish(tx, calendarProposed, fact);
        entry.proposal = { ...row, id, sessionId, kind, startsAt, endsAt };
      });
    }
    // Not a version that we know: should the question be dropped, what is there is judged anew.
    await this.note(entry, { etag: null, sending: null });
  }
}
