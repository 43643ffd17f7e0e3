import type { Stripe } from 'stripe';
import type { TurnableClock } from '../shared/clock.ts';
import type { AccountRecord } from './account-record.ts';
import type { SnapshotEvent, ThinEvent } from './event-types.ts';
import type { IdKind } from './ids.ts';
import { noAccess, noSuch } from './refusal.ts';
import { Shelf } from './shelf.ts';

/** What belongs to one account and is seen by nobody else; the platform's own room has no account. */
export interface Room {
  account: string | null;
  sessions: Shelf<Stripe.Checkout.Session>;
  intents: Shelf<Stripe.PaymentIntent>;
  charges: Shelf<Stripe.Charge>;
  refunds: Shelf<Stripe.Refund>;
  disputes: Shelf<Stripe.Dispute>;
  transactions: Shelf<Stripe.BalanceTransaction>;
  events: Shelf<SnapshotEvent>;
}

/** What a session was made with but does not show. */
export interface SessionPlan {
  room: Room;
  session: Stripe.Checkout.Session;
  lineItems: Stripe.LineItem[];
  intentMetadata: Record<string, string>;
  description: string | null;
  receiptEmail: string | null;
  applicationFee: number | null;
  /** What the payer chose for a debit that is settled later. */
  laterOutcome: 'succeeded' | 'failed' | null;
}

export interface OnboardingLink {
  token: string;
  account: string;
  refreshUrl: string;
  returnUrl: string;
  expiresAt: number;
  state: 'fresh' | 'opened' | 'spent';
}

/** Whose request is being served, for events to name it. */
export interface Cause {
  id: string;
  idempotency_key: string | null;
}

/** Everything the stand-in knows. Its changes are synchronous, so no two requests see each other half done. */
export class World {
  readonly accounts = new Map<string, AccountRecord>();
  readonly links = new Map<string, OnboardingLink>();
  readonly plans = new Map<string, SessionPlan>();
  readonly thinEvents = new Shelf<ThinEvent>();
  /** Kept apart, so that looking for expired ones does not go through all sessions ever made. */
  readonly openSessions = new Set<Stripe.Checkout.Session>();
  cause: Cause | null = null;
  /** Set once the server listens: the pages live there. */
  baseUrl = '';
  onEvent: (event: SnapshotEvent | ThinEvent) => void = () => {};

  readonly clock: TurnableClock;
  readonly newId: (kind: IdKind) => string;
  private readonly rooms = new Map<string | null, Room>();

  constructor(clock: TurnableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
  }

  room(account: string | null): Room {
    let room = this.rooms.get(account);
    if (!room) {
      room = emptyRoom(account);
      this.rooms.set(account, room);
    }
    return room;
  }

  allRooms(): Room[] {
    return [...this.rooms.values()];
  }

  /** The room a `Stripe-Account` header opens. */
  roomFor(account: string | null): Room {
    if (account !== null) {
      const record = this.accounts.get(account);
      if (!record || record.deauthorized || record.closed) throw noAccess(account);
    }
    return this.room(account);
  }

  plan(sessionId: string): SessionPlan {
    const plan = this.plans.get(sessionId);
    if (!plan) throw noSuch('checkout.session', sessionId, 'session');
    return plan;
  }
}

function emptyRoom(account: string | null): Room {
  return {
    account,
    sessions: new Shelf(),
    intents: new Shelf(),
    charges: new Shelf(),
    refunds: new Shelf(),
    disputes: new Shelf(),
    transactions: new Shelf(),
    events: new Shelf(),
  };
}
