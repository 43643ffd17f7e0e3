import type { Stripe } from 'stripe';
import type { AdjustableClock } from '../shared/clock.ts';
import type { AccountRecord } from './account-record.ts';
import { noAccessToAccount, noSuchObject } from './error-response.ts';
import type { SnapshotEvent, ThinEvent } from './event-types.ts';
import type { IdKind } from './id-formats.ts';
import { Collection } from './paged-collection.ts';

/** The objects of one account, invisible to others; `account` is null for the platform's own objects. */
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

/** Parameters of a session that are not part of the session object. */
export interface CheckoutState {
  store: AccountStore;
  session: Stripe.Checkout.Session;
  lineItems: Stripe.LineItem[];
  intentMetadata: Record<string, string>;
  description: string | null;
  receiptEmail: string | null;
  applicationFee: number | null;
  /** The outcome that the payer chose for a debit; null if none is pending. */
  debitOutcome: 'succeeded' | 'failed' | null;
}

export interface OnboardingLink {
  token: string;
  account: string;
  refreshUrl: string;
  returnUrl: string;
  expiresAt: number;
  state: 'unused' | 'opened' | 'used';
}

/** The current request, for the `request` field of events. */
export interface CurrentRequest {
  id: string;
  idempotency_key: string | null;
}

/** The state of the fake. Changes are synchronous, so no request sees a partial change. */
export class StripeState {
  readonly accounts = new Map<string, AccountRecord>();
  readonly links = new Map<string, OnboardingLink>();
  readonly checkouts = new Map<string, CheckoutState>();
  readonly thinEvents = new Collection<ThinEvent>();
  /** Separate, so that the expiry check does not scan all sessions. */
  readonly openSessions = new Set<Stripe.Checkout.Session>();
  currentRequest: CurrentRequest | null = null;
  /** Base URL of the pages; set once the server is listening. */
  baseUrl = '';
  onEvent: (event: SnapshotEvent | ThinEvent) => void = () => {};

  readonly clock: AdjustableClock;
  readonly newId: (kind: IdKind) => string;
  private readonly stores = new Map<string | null, AccountStore>();

  constructor(clock: AdjustableClock, newId: (kind: IdKind) => string) {
    this.clock = clock;
    this.newId = newId;
  }

  storeFor(account: string | null): AccountStore {
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

  /** The store for a `Stripe-Account` header. */
  storeOrThrow(account: string | null): AccountStore {
    if (account !== null) {
      const record = this.accounts.get(account);
      if (!record || record.deauthorized || record.closed) throw noAccessToAccount(account);
    }
    return this.storeFor(account);
  }

  findCheckout(sessionId: string): CheckoutState {
    const checkout = this.checkouts.get(sessionId);
    if (!checkout) throw noSuchObject('checkout.session', sessionId, 'session');
    return checkout;
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
