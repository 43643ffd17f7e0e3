import { plusDays } from '@lessonbook/contract/dates';
import type { StripeStandIn } from '@lessonbook/fakes/stripe';
import type { Random } from '@lessonbook/server/src/test/model/random.ts';
import type { Journal } from '../journal.ts';
import { EXPLAINED, type Tally } from '../tally.ts';
import type { Client, Outcome } from './client.ts';

export interface Pupil {
  id: number;
  familyId: number;
  carerId: number | null;
  mark: string;
  /** Has lessons or an account that other acts rely on, so it stays. */
  stays: boolean;
  opened: boolean;
}

export interface Taught {
  id: number;
  lessonId: number;
  pupil: Pupil;
  status: 'scheduled' | 'completed' | 'cancelled' | 'rescheduled';
  /** Pence; null is free. */
  fee: number | null;
  /** Pence that stand on the account for it. */
  charged: number;
  repeats: boolean;
  /** Something else answers for it: time off, an invoice. */
  held: boolean;
  /** Its family was told once that it does not take place. */
  told: boolean;
}

export interface Money {
  id: number;
  pupil: Pupil;
  amount: number;
  refunded: number;
  live: boolean;
}

export interface Away {
  id: number;
  reason: string;
  session: Taught | null;
}

export interface CardPayment {
  familyId: number;
  sessionId: string;
  refunded: number;
}

/** A lesson of tomorrow whose reminder goes to an address that nothing else goes to. */
export interface Reminded {
  address: string;
  seat: number;
  sessionId: number;
  /** When it was acknowledged that it does not take place. */
  cancelledAt: number | null;
}

/** What all browsers of one tutor share. */
export interface Room {
  /** The account at the card provider; none for a tutor who takes no cards. */
  till: { accountId: string; control: StripeStandIn['control'] } | null;
  /** Subjects of letters that were acknowledged. */
  letters: string[];
  reminded: Reminded[];
  exported: boolean;
  username: string;
  today: string;
  subjectId: number;
  journal: Journal;
  tally: Tally;
}

/** Minutes are kept apart too, so that browsers of one tutor meet only where they should. */
const FIRST_HOUR = 6;
const HOURS_EACH = 5;

/**
 * One browser of a tutor with the things that it alone works on. What it was told about them it knows for certain, though
 * others write in the same book at the same time.
 */
export class Seat {
  readonly room: Room;
  readonly client: Client;
  readonly random: Random;
  readonly number: number;
  readonly pupils: Pupil[] = [];
  readonly subjects: { id: number; mark: string }[] = [];
  readonly sessions = new Map<number, Taught>();
  readonly payments: Money[] = [];
  readonly away: Away[] = [];
  readonly paidByCard: CardPayment[] = [];
  #marks = 0;
  #daysOff = 0;
  #drafts = 0;

  constructor(room: Room, client: Client, random: Random, number: number) {
    this.room = room;
    this.client = client;
    this.random = random;
    this.number = number;
  }

  get journal(): Journal {
    return this.room.journal;
  }

  /** Never used before, so that what carries it can be counted. */
  newMark(kind: string): string {
    this.#marks += 1;
    return `${kind}-${this.room.username}-${this.number}-${this.#marks}`;
  }

  /** In this browser's own hours, on a day from `from` to `to` days ahead. */
  someTime(from: number, to: number): { date: string; startTime: string; endTime: string } {
    const hour = FIRST_HOUR + this.number * HOURS_EACH + this.random.between(0, HOURS_EACH - 2);
    const minute = this.random.pick(['00', '15', '30', '45']);
    const time = (at: number) => `${String(at).padStart(2, '0')}:${minute}`;
    const date = plusDays(this.room.today, this.random.between(from, to));
    return { date, startTime: time(hour), endTime: time(hour + 1) };
  }

  /** A day far ahead that nothing else of this tutor's falls on. */
  newDayOff(): string {
    this.#daysOff += 1;
    return plusDays(this.room.today, 120 + this.#daysOff * 2 + this.number);
  }

  nextDraft(): number {
    this.#drafts += 1;
    return this.#drafts;
  }

  pick<T>(from: Iterable<T>, fits: (one: T) => boolean = () => true): T | undefined {
    const some = [...from].filter(fits);
    return some.length > 0 ? this.random.pick(some) : undefined;
  }

  /** A refusal that nothing in this browser's life explains. */
  unexplained(what: string, outcome: Outcome<unknown>): void {
    if (outcome.abandoned) return;
    this.room.tally.fault(
      EXPLAINED,
      `${this.room.username}: ${what} answered ${outcome.status}: ${outcome.error.message}`,
    );
  }
}
