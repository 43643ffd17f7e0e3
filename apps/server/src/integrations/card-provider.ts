/* The interface to card providers, without vendor types. */

export interface CardAccountState {
  /** Whether the account can accept card payments. */
  canTakeCards: boolean;
  payoutsEnabled: boolean;
}

export interface NewCheckout {
  /** Our public id; stored by the provider and used as the idempotency key. */
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
  /** Whether the money has been returned or is being returned. */
  isActive: boolean;
  /** Whether the bank has still to decide about a dispute. */
  isPending: boolean;
  /** Our public id for the refund, if we requested it. */
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

/** A verified webhook event. It only identifies an object; the object's state is read from the API. */
export interface CardEvent {
  id: string;
  type: string;
  accountId: string | null;
  live: boolean;
  /** The checkout or payment that the event refers to. */
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
  /** `quick` uses a short timeout, for callers that can fall back to the last known state. */
  accountState(accountId: string, quick?: boolean): Promise<CardAccountState>;
  createCheckout(
    accountId: string,
    checkout: NewCheckout,
  ): Promise<{ sessionId: string; url: string }>;
  /** Does nothing if the checkout has been paid or has expired. */
  expireCheckout(accountId: string, sessionId: string): Promise<void>;
  /** Null if the account has no such checkout. */
  getCheckout(accountId: string, sessionId: string): Promise<CheckoutDetails | null>;
  findSessionByPayment(accountId: string, paymentIntent: string): Promise<string | null>;
  /** Lists checkouts that have been created, refunded or disputed since then. */
  listSessionsChangedSince(accountId: string, since: Date): AsyncIterable<string>;
  refund(
    accountId: string,
    refund: { requestId: string; paymentIntent: string; amount: number },
  ): Promise<string>;
  parseAccountEvent(body: string, signature: string): CardEvent;
  parsePaymentEvent(body: string, signature: string): CardEvent;
}

/** A timeout, network error or malformed response; can be retried. */
export class CardProviderUnavailableError extends Error {
  override readonly name = 'CardProviderUnavailableError';
}

/** The provider permanently rejects this request. */
export class CardRequestRejectedError extends Error {
  override readonly name = 'CardRequestRejectedError';
}

/** We no longer have access to the account. */
export class CardAccountAccessError extends Error {
  override readonly name = 'CardAccountAccessError';
}

/** The webhook was not signed by the provider, or is too old. */
export class InvalidSignatureError extends Error {
  override readonly name = 'InvalidSignatureError';
}
