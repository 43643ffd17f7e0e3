import type { ConformanceReport } from '../shared/conformance.ts';
import type { PostResponse } from '../shared/http-post.ts';
import type { DeliverySettings } from '../shared/webhook-delivery.ts';
import type { CapabilityChange } from './accounts.ts';
import type { DisputeOptions } from './disputes.ts';
import type { AnyEvent } from './event-types.ts';
import type { StripeFault } from './faults.ts';
import type { Forgery, ForgeryOptions } from './forged-webhooks.ts';
import type { PayResult } from './payments.ts';
import type { AccountReport } from './reports.ts';
import type { Delivery, Endpoint } from './webhook-endpoints.ts';

/** How a test steers the stand-in, from the same process or, over HTTP, from another one. */
export interface StripeControl {
  /** Where events go, as if the endpoints were set up in Stripe's dashboard; null takes one away. */
  setWebhooks: (webhooks: {
    account?: Endpoint | null;
    connect?: Endpoint | null;
  }) => Promise<void>;

  /** Everything a browser does with a link, without the browser. */
  completeOnboarding: (accountId: string) => Promise<void>;
  setCapabilities: (accountId: string, change: CapabilityChange) => Promise<void>;
  disablePayouts: (accountId: string) => Promise<void>;
  restorePayouts: (accountId: string) => Promise<void>;
  deauthorize: (accountId: string) => Promise<void>;
  closeAccount: (accountId: string) => Promise<void>;

  /** Pays with a test card's number, `bank-debit-succeeds` or `bank-debit-fails`; a card that asks for authentication gets it unless told to fail. */
  payAsBrowser: (
    sessionId: string,
    means: string,
    more?: { authentication?: 'complete' | 'fail'; email?: string; name?: string },
  ) => Promise<PayResult>;
  expireSession: (sessionId: string) => Promise<void>;
  /** The bank's answer to one debit, as the payer chose unless told otherwise. */
  settleDebit: (
    sessionId: string,
    outcome?: 'succeeded' | 'failed',
  ) => Promise<'succeeded' | 'failed'>;
  /** To all that wait; says how many there were. */
  settleDebits: () => Promise<number>;
  /** What the tutor does in Stripe's own dashboard; gives the refund's id. */
  refundFromDashboard: (chargeId: string, amount?: number) => Promise<string>;
  failRefund: (refundId: string) => Promise<void>;
  settleRefund: (refundId: string) => Promise<void>;
  openDispute: (chargeId: string, ask?: DisputeOptions) => Promise<string>;
  sendEvidence: (disputeId: string) => Promise<void>;
  closeDispute: (disputeId: string, result: 'won' | 'lost') => Promise<void>;

  /** How events are sent from now on; what is left out stays. */
  setDelivery: (settings: Partial<DeliverySettings>) => Promise<DeliverySettings>;
  deliveries: () => Promise<Delivery[]>;
  hold: () => Promise<void>;
  release: () => Promise<void>;
  /** Resolves when nothing is under way or will be tried again; what is held does not count. */
  whenIdle: () => Promise<void>;
  redeliver: (eventId: string) => Promise<void>;
  /** All events so far, snapshot and thin, also those nobody asked for. */
  events: (type?: string) => Promise<AnyEvent[]>;
  sendForged: (kind: Forgery, ask?: ForgeryOptions) => Promise<PostResponse & { eventId: string }>;

  addFault: (fault: StripeFault) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Those not used up yet. */
  faults: () => Promise<StripeFault[]>;

  /** Turns the clock forward; sessions that end thereby expire. Signatures keep to the real time. */
  advanceClock: (millis: number) => Promise<void>;
  now: () => Promise<number>;

  report: (accountId?: string) => Promise<AccountReport[]>;
  conformance: () => Promise<ConformanceReport>;
}
