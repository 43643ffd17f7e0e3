import { addDaysToDate } from '@lessonbook/contract/dates';
import type { SeatState, SessionStatus } from '@lessonbook/contract/sessions';
import type { Student } from '@lessonbook/contract/students';
import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { ExpectedState } from '../expected-state.ts';
import { type ChaosResults, REFUSALS_EXPLAINED } from '../results.ts';
import type { Outcome, RetryingClient } from './retrying-client.ts';

export interface TrackedStudent {
  id: number;
  /** The account of the main contact. */
  familyId: number;
  carerId: number | null;
  marker: string;
  /** Has lessons or a balance that other actions rely on, so it is never deleted. */
  isPermanent: boolean;
  hasOpeningBalance: boolean;
}

/** One student in one session. */
export interface TrackedSeat {
  /** In pence; null means free. */
  fee: number | null;
  state: SeatState;
  /** What each payer was charged, in pence. */
  charges: { familyId: number; amount: number }[];
}

export interface TrackedSession {
  id: number;
  lessonId: number;
  date: string;
  status: SessionStatus;
  /** Keyed by student id. */
  seats: Map<number, TrackedSeat>;
  isRecurring: boolean;
  /** Controlled by time off or an invoice, so other actions leave it alone. */
  isLocked: boolean;
  /** True if the session was reopened or a student has left it: a notice that is being retried is then skipped. */
  mayHaveSkippedNotice: boolean;
}

export interface TrackedPayment {
  id: number;
  familyId: number;
  amount: number;
  refunded: number;
  /** False once the payment has been reversed. */
  isActive: boolean;
}

export interface TrackedTimeOff {
  id: number;
  reason: string;
  session: TrackedSession | null;
}

export interface CardPayment {
  familyId: number;
  sessionId: string;
  refunded: number;
}

/** A contact who is signed in to the family portal. */
export interface SignedInContact {
  client: RetryingClient;
  publicId: string;
  /** The student whose main contact is signed in. */
  student: TrackedStudent;
}

/** A lesson tomorrow whose reminder goes to an address that receives nothing else. */
export interface RemindedLesson {
  address: string;
  userNumber: number;
  sessionId: number;
  /** When the cancellation was acknowledged. */
  cancelledAt: number | null;
}

/** Shared by all of a tutor's virtual users. */
export interface TutorContext {
  /** The Stripe account; null for a tutor who does not take card payments. */
  cardAccount: { accountId: string; control: FakeStripe['control'] } | null;
  /** Messages whose sending was acknowledged; `session` is the one that a notice is about. */
  sentMessages: { subject: string; session: TrackedSession | null }[];
  remindedLessons: RemindedLesson[];
  exportRequested: boolean;
  username: string;
  today: string;
  subjectId: number;
  expected: ExpectedState;
  results: ChaosResults;
}

/** Each virtual user has its own hours of the day, so that one tutor's users rarely create overlapping sessions. */
const FIRST_HOUR = 6;
const HOURS_PER_USER = 5;

/**
 * One of a tutor's virtual users. Only this user writes to its records, so their expected state is exact even though other
 * users write to the same account concurrently.
 */
export class VirtualUser {
  readonly context: TutorContext;
  readonly client: RetryingClient;
  readonly random: Random;
  readonly number: number;
  readonly students: TrackedStudent[] = [];
  readonly subjects: { id: number; marker: string }[] = [];
  /** The contacts and payers of each student, as last returned by the API. */
  readonly studentDetails = new Map<number, Pick<Student, 'contacts' | 'payers'>>();
  readonly sessions = new Map<number, TrackedSession>();
  readonly payments: TrackedPayment[] = [];
  readonly timeOff: TrackedTimeOff[] = [];
  readonly cardPayments: CardPayment[] = [];
  /** Set only for the first of a tutor's virtual users. */
  signedInContact: SignedInContact | null = null;
  #markerCount = 0;
  #dayOffCount = 0;
  #draftCount = 0;

  constructor(context: TutorContext, client: RetryingClient, random: Random, number: number) {
    this.context = context;
    this.client = client;
    this.random = random;
    this.number = number;
  }

  get expected(): ExpectedState {
    return this.context.expected;
  }

  /** Returns a unique string, so that rows that contain it can be counted. */
  newMarker(kind: string): string {
    this.#markerCount += 1;
    return `${kind}-${this.context.username}-${this.number}-${this.#markerCount}`;
  }

  /** A random slot within this user's hours, `from` to `to` days ahead. */
  randomSlot(from: number, to: number): { date: string; startTime: string; endTime: string } {
    const hour =
      FIRST_HOUR + this.number * HOURS_PER_USER + this.random.between(0, HOURS_PER_USER - 2);
    const minute = this.random.pick(['00', '15', '30', '45']);
    const time = (hours: number) => `${String(hours).padStart(2, '0')}:${minute}`;
    const date = addDaysToDate(this.context.today, this.random.between(from, to));
    return { date, startTime: time(hour), endTime: time(hour + 1) };
  }

  /** Returns a distant date on which this tutor has nothing else. */
  newDayOff(): string {
    this.#dayOffCount += 1;
    return addDaysToDate(this.context.today, 120 + this.#dayOffCount * 2 + this.number);
  }

  nextDraftNumber(): number {
    this.#draftCount += 1;
    return this.#draftCount;
  }

  pick<T>(from: Iterable<T>, matches: (item: T) => boolean = () => true): T | undefined {
    const candidates = [...from].filter(matches);
    return candidates.length > 0 ? this.random.pick(candidates) : undefined;
  }

  /** Reports a refusal that this user's state does not explain. */
  reportUnexplained(action: string, outcome: Outcome<unknown>): void {
    if (outcome.abandoned) return;
    this.context.results.reportViolation(
      REFUSALS_EXPLAINED,
      `${this.context.username}: ${action} returned ${outcome.status}: ${outcome.error.message}`,
    );
  }
}
