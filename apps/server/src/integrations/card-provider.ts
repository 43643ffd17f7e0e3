/* The interface to card providers, without vendor types. */

export interface CardAccountState {
  /** The account can accept card payments. */
  canTakeCards: boolean;
  payoutsEnabled: boolean;
}

export interface NewCheckout {
  /** Our public id: stored at the provider and used as idempotency key. */
  publicId: string;
  amount: number;
  currency: string;
  title: string;
  successUrl: string;
  cancelUrl: string;
}

/** The current state of a refund or a dispute. */
export interface CardReversal {
  id: string;
  kind: 'refund' | 'dispute';
  amount: number;
  at: Date;
  /** Whether the money was or is being returned. */
  isActive: boolean;
  /** Our public id of a refund that we requested. */
  requestId: string | null;
}

export interface CheckoutDetails {
  sessionId: string;
  publicId: string | null;
  state: 'open' | 'pending' | 'paid' | 'failed' | 'expired';
  amount: number;
  currency: string;
  paymentIntent: string | null;
  paidAt: Date | null;
  reversals: CardReversal[];
}

/** A verified webhook event. It only identifies an object; the state is read from the API. */
export interface CardEvent {
  id: string;
  type: string;
  accountId: string | null;
  live: boolean;
  /** The checkout or payment it refers to. */
  sessionId: string | null;
  paymentIntent: string | null;
}

export interface CardProvider {
  readonly live: boolean;
  createAccount(account: {
    key: string;
    email: string;
    name: string;
    country: string | null;
  }): Promise<string>;
  onboardingUrl(
    accountId: string,
    urls: { refreshUrl: string; returnUrl: string },
  ): Promise<string>;
  /** `quick` uses a short timeout, for callers that can show an older state instead. */
  accountState(accountId: string, quick?: boolean): Promise<CardAccountState>;
  createCheckout(
    accountId: string,
    checkout: NewCheckout,
  ): Promise<{ sessionId: string; url: string }>;
  /** Does nothing if the checkout was paid or has expired. */
  expireCheckout(accountId: string, sessionId: string): Promise<void>;
  /** Null if the account has no such checkout. */
  getCheckout(accountId: string, sessionId: string): Promise<CheckoutDetails | null>;
  findSessionByPayment(accountId: string, paymentIntent: string): Promise<string | null>;
  /** Checkouts that were created, refunded or disputed since. */
  listSessionsChangedSince(accountId: string, since: Date): AsyncIterable<string>;
  refund(
    accountId: string,
    refund: { requestId: string; paymentIntent: string; amount: number },
  ): Promise<string>;
  parseAccountEvent(body: string, signature: string): CardEvent;
  parsePaymentEvent(body: string, signature: string): CardEvent;
}

/** Timeout, network error or malformed response; retryable. */
export class CardsUnavailable extends Error {
  override readonly name = 'CardsUnavailable';
}

/** The provider permanently rejects the request. */
export class CardsRefused extends Error {
  override readonly name = 'CardsRefused';
}

/** We have no access to that account any more. */
export class CardAccountLost extends Error {
  override readonly name = 'CardAccountLost';
}

/** The webhook was not signed by the provider, or is too old. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}
