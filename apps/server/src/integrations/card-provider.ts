/* What we need of a card provider, in our own words. */

export interface CardAccountState {
  /** Cards can be taken. */
  canTakeCards: boolean;
  payoutsEnabled: boolean;
}

export interface NewCheckout {
  /** Our public id: the provider carries it, and a repeat is known by it. */
  publicId: string;
  amount: number;
  currency: string;
  title: string;
  successUrl: string;
  cancelUrl: string;
}

/** A refund, or what a bank has taken back in a dispute, as it stands now. */
export interface CardReversal {
  id: string;
  kind: 'refund' | 'dispute';
  amount: number;
  at: Date;
  /** Whether the money has gone, or is going, back. */
  isActive: boolean;
  /** Of a refund that we asked for: our public id of the request. */
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

/** A message of the provider whose signature, age and form are right. What it is about is read anew, not believed. */
export interface CardEvent {
  id: string;
  type: string;
  accountId: string | null;
  live: boolean;
  /** The checkout or the payment that it is about. */
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
  /** `quick` for whoever has an older answer at hand and would rather show that than wait. */
  accountState(accountId: string, quick?: boolean): Promise<CardAccountState>;
  createCheckout(
    accountId: string,
    checkout: NewCheckout,
  ): Promise<{ sessionId: string; url: string }>;
  /** Closes it, unless it was paid meanwhile. */
  expireCheckout(accountId: string, sessionId: string): Promise<void>;
  /** None when there is no such checkout in that account. */
  getCheckout(accountId: string, sessionId: string): Promise<CheckoutDetails | null>;
  findSessionByPayment(accountId: string, paymentIntent: string): Promise<string | null>;
  /** Checkouts that were begun since, or whose money went back since. */
  listSessionsChangedSince(accountId: string, since: Date): AsyncIterable<string>;
  refund(
    accountId: string,
    refund: { requestId: string; paymentIntent: string; amount: number },
  ): Promise<string>;
  parseAccountEvent(body: string, signature: string): CardEvent;
  parsePaymentEvent(body: string, signature: string): CardEvent;
}

/** The provider did not answer, or not in its right mind: nothing is known, and it may be tried again. */
export class CardsUnavailable extends Error {
  override readonly name = 'CardsUnavailable';
}

/** The provider says no, and will say so again. */
export class CardsRefused extends Error {
  override readonly name = 'CardsRefused';
}

/** We may no longer act for that account. */
export class CardAccountLost extends Error {
  override readonly name = 'CardAccountLost';
}

/** Not a message of the provider, or too old. */
export class InvalidSignature extends Error {
  override readonly name = 'ForgedEvent';
}
