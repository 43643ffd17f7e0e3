import { plusDays } from '@lessonbook/contract/dates';
import type { FakeStripe } from '@lessonbook/fakes/stripe';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { ExpectedState } from '../expected-state.ts';
import { type ChaosResults, REFUSALS_EXPLAINED } from '../results.ts';
import type { Outcome, RetryingClient } from './retrying-client.ts';

export interface TrackedStudent {
  id: number;
  familyId: number;
  carerId: number | null;
  mark: string;
  /** Has lessons or an account that other acts rely on, so it stays. */
  isPermanent: boolean;
  hasOpeningBalance: boolean;
}

export interface TrackedSession {
  id: number;
  lessonId: number;
  student: TrackedStudent;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  /** Pence; null is free. */
  fee: number | null;
  /** Pence that stand on the account for it. */
  charged: number;
  isRecurring: boolean;
  /** Something else answers for it: time off, an invoice. */
  isLocked: boolean;
  /** Its family was told once that it does not take place. */
  familyNotified: boolean;
}

export interface TrackedPayment {
  id: number;
  student: TrackedStudent;
  amount: number;
  refunded: number;
  live: boolean;
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

/** A lesson of tomorrow whose reminder goes to an address that nothing else goes to. */
export interface RemindedLesson {
  address: string;
  userNumber: number;
  sessionId: number;
  /** When it was acknowledged that it does not take place. */
  cancelledAt: number | null;
}

/** What all browsers of one tutor share. */
export interface TutorContext {
  /** The account at the card provider; none for a tutor who takes no cards. */
  cardAccount: { accountId: string; control: FakeStripe['control'] } | null;
  /** Subjects of letters that were acknowledged. */
  sentSubjects: string[];
  remindedLessons: RemindedLesson[];
  exported: boolean;
  username: string;
  today: string;
  subjectId: number;
  expected: ExpectedState;
  results: ChaosResults;
}

/** Minutes are kept apart too, so that browsers of one tutor meet only where they should. */
const FIRST_HOUR = 6;
const HOURS_EACH = 5;

/**
 * One browser of a tutor with the things that it alone works on. What it was told about them it knows for certain, though
 * others write in the same book at the same time.
 */
export class VirtualUser {
  readonly context: TutorContext;
  readonly client: RetryingClient;
  readonly random: Random;
  readonly number: number;
  readonly students: TrackedStudent[] = [];
  readonly subjects: { id: number; mark: string }[] = [];
  readonly sessions = new Map<number, TrackedSession>();
  readonly payments: TrackedPayment[] = [];
  readonly timeOff: TrackedTimeOff[] = [];
  readonly cardPayments: CardPayment[] = [];
  #marks = 0;
  #daysOff = 0;
  #drafts = 0;

  constructor(context: TutorContext, client: RetryingClient, random: Random, number: number) {
    this.context = context;
    this.client = client;
    this.random = random;
    this.number = number;
  }

  get expected(): ExpectedState {
    return this.context.expected;
  }

  /** Never used before, so that what carries it can be counted. */
  newMark(kind: string): string {
    this.#marks += 1;
    return `${kind}-${this.context.username}-${this.number}-${this.#marks}`;
  }

  /** In this browser's own hours, on a day from `from` to `to` days ahead. */
  randomSlot(from: number, to: number): { date: string; startTime: string; endTime: string } {
    const hour = FIRST_HOUR + this.number * HOURS_EACH + this.random.between(0, HOURS_EACH - 2);
    const minute = this.random.pick(['00', '15', '30', '45']);
    const time = (at: number) => `${String(at).padStart(2, '0')}:${minute}`;
    const date = plusDays(this.context.today, this.random.between(from, to));
    return { date, startTime: time(hour), endTime: time(hour + 1) };
  }

  /** A day far ahead that nothing else of this tutor's falls on. */
  newDayOff(): string {
    this.#daysOff += 1;
    return plusDays(this.context.today, 120 + this.#daysOff * 2 + this.number);
  }

  nextDraftNumber(): number {
    this.#drafts += 1;
    return this.#drafts;
  }

  pick<T>(from: Iterable<T>, fits: (one: T) => boolean = () => true): T | undefined {
    const some = [...from].filter(fits);
    return some.length > 0 ? this.random.pick(some) : undefined;
  }

  /** A refusal that nothing in this browser's life explains. */
  reportUnexplained(what: string, outcome: Outcome<unknown>): void {
    if (outcome.abandoned) return;
    this.context.results.fault(
      REFUSALS_EXPLAINED,
      `${this.context.username}: ${what} answered ${outcome.status}: ${outcome.error.message}`,
    );
  }
}
