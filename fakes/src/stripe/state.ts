import type { Stripe } from 'stripe';
import type { AdjustableClock } from '../shared/clock.ts';
import type { AccountRecord } from './account-record.ts';
import { Collection } from './collection.ts';
import { noAccess, noSuch } from './error-response.ts';
import type { SnapshotEvent, ThinEvent } from './event-types.ts';
import type { IdKind } from './ids.ts';

/** What belongs to one account and is seen by nobody else; the platform's own room has no account. */
export interface AccountStore {
  account: string | null;
  sessions: Collection<Stripe.Checkout.Session>;
  intents: Collection<Stripe.PaymentIntent>;
  charges: Collection<Stripe.Charge>;
  refunds: Collection<Stripe.Refund>;
  disputes: Collection<Stripe.Dispute>;
  transactions: Collection<Stripe.BalanceTransaction>;
  events: Collection<SnapshotEvent>;
}

/** What a session was made with but does not show. */
export interface CheckoutPlan {
  store: AccountStore;
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
export interface RequestCause {
  id: string;
  idempotency_key: string | null;
}

/** Everything the stand-in knows. Its changes are synchronous, so no two requests see each other half done. */
export class StripeState {
  readonly accounts = new Map<string, AccountRecord>();
  readonly links = new Map<string, OnboardingLink>();
  readonly plans = new Map<string, CheckoutPlan>();
  readonly thinEvents = new Collection<ThinEvent>();
  /** Kept apart, so that looking for expired ones does not go through all sessions ever made. */
  readonly openSessions = new Set<Stripe.Checkout.Session>();
  cause: RequestCause | null = null;
  /** Set once the server listens: the pages live there. */
  baseUrl = '';
  onEvent: (event: SnapshotEvent | ThinEvent) => void = () => {};

  readonly clock: AdjustableClock;
  readonly newId: (kind: IdKind) => string;
  private readonly stores = new Map<string | null, AccountStore>();

  constructor(clock: AdjustableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
  }

  store(account: string | null): AccountStore {
    let store = this.stores.get(account);
    if (!store) {
      store = createStore(account);
      this.stores.set(account, store);
    }
    return store;
  }

  allStores(): AccountStore[] {
    return [...this.stores.values()];
  }

  /** The room a `Stripe-Account` header opens. */
  storeOrThrow(account: string | null): AccountStore {
    if (account !== null) {
      const record = this.accounts.get(account);
      if (!record || record.deauthorized || record.closed) throw noAccess(account);
    }
    return this.store(account);
  }

  plan(sessionId: string): CheckoutPlan {
    const plan = this.plans.get(sessionId);
    if (!plan) throw noSuch('checkout.session', sessionId, 'session');
    return plan;
  }
}

function createStore(account: string | null): AccountStore {
  return {
    account,
    sessions: new Collection(),
    intents: new Collection(),
    charges: new Collection(),
    refunds: new Collection(),
    disputes: new Collection(),
    transactions: new Collection(),
    events: new Collection(),
  };
}
