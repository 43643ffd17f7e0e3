import type { ConformanceReport } from '../shared/api-description-violations.ts';
import type { PostResponse } from '../shared/http-post.ts';
import type { DeliverySettings } from '../shared/webhook-delivery.ts';
import type { CapabilityChange } from './accounts.ts';
import type { DisputeOptions } from './disputes.ts';
import type { AnyEvent } from './event-types.ts';
import type { StripeFault } from './fault-error-replies.ts';
import type { Forgery, ForgeryOptions } from './forged-webhooks.ts';
import type { PayResult } from './pay-checkout-session.ts';
import type { AccountReport } from './report-stored-payments.ts';
import type { Delivery, Endpoint } from './webhook-subscriptions.ts';

/** How tests control the fake, in the same process or over HTTP. */
export interface StripeControl {
  /** Sets the webhook endpoints, as in Stripe's dashboard; null removes one. */
  setWebhooks: (webhooks: {
    account?: Endpoint | null;
    connect?: Endpoint | null;
  }) => Promise<void>;

  /** Completes the onboarding page without a browser. */
  completeOnboarding: (accountId: string) => Promise<void>;
  setCapabilities: (accountId: string, change: CapabilityChange) => Promise<void>;
  disablePayouts: (accountId: string) => Promise<void>;
  restorePayouts: (accountId: string) => Promise<void>;
  deauthorize: (accountId: string) => Promise<void>;
  closeAccount: (accountId: string) => Promise<void>;

  /** Pays with a test card number, `bank-debit-succeeds` or `bank-debit-fails`; authentication succeeds by default. */
  payOnCheckoutPage: (
    sessionId: string,
    paymentMethod: string,
    options?: { authentication?: 'complete' | 'fail'; email?: string; name?: string },
  ) => Promise<PayResult>;
  expireSession: (sessionId: string) => Promise<void>;
  /** Settles a debit with the outcome that the payer chose, or with the given one. */
  settleDebit: (
    sessionId: string,
    outcome?: 'succeeded' | 'failed',
  ) => Promise<'succeeded' | 'failed'>;
  /** Settles all pending debits; returns their number. */
  settleDebits: () => Promise<number>;
  /** Refunds a charge as the tutor would in Stripe's dashboard; returns the refund's id. */
  refundFromDashboard: (chargeId: string, amount?: number) => Promise<string>;
  failRefund: (refundId: string) => Promise<void>;
  settleRefund: (refundId: string) => Promise<void>;
  openDispute: (chargeId: string, options?: DisputeOptions) => Promise<string>;
  sendEvidence: (disputeId: string) => Promise<void>;
  closeDispute: (disputeId: string, result: 'won' | 'lost') => Promise<void>;

  /** Changes how events are delivered; omitted settings stay unchanged. */
  setDelivery: (settings: Partial<DeliverySettings>) => Promise<DeliverySettings>;
  deliveries: () => Promise<Delivery[]>;
  hold: () => Promise<void>;
  release: () => Promise<void>;
  /** Resolves when no event is in flight or awaiting retry; held events do not count. */
  whenIdle: () => Promise<void>;
  redeliver: (eventId: string) => Promise<void>;
  /** All snapshot and thin events so far, including those without a subscriber. */
  events: (type?: string) => Promise<AnyEvent[]>;
  sendForged: (
    kind: Forgery,
    options?: ForgeryOptions,
  ) => Promise<PostResponse & { eventId: string }>;

  addFault: (fault: StripeFault) => Promise<void>;
  clearFaults: () => Promise<void>;
  /** Faults that have not been used up yet. */
  faults: () => Promise<StripeFault[]>;

  /** Advances the clock; sessions expire accordingly. Signatures use the real time. */
  advanceClock: (millis: number) => Promise<void>;
  now: () => Promise<number>;

  report: (accountId?: string) => Promise<AccountReport[]>;
  conformance: () => Promise<ConformanceReport>;
}
