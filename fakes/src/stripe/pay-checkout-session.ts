import type { Stripe } from 'stripe';
import { expireOverdueSessions } from './checkout-sessions.ts';
import { emitEvent } from './emit-events.ts';
import { idOf } from './id-formats.ts';
import { createCharge, createIntent, type Payer, type PaymentMethod } from './payment-objects.ts';
import { chargeOutcome, settleCharge } from './settle-charge.ts';
import type { CheckoutState, StripeState } from './state.ts';
import { type CardBehavior, findTestCard } from './test-cards.ts';

/** The result shown to the payer. */
export type PayResult =
  | { outcome: 'paid' | 'processing'; redirect: string }
  | { outcome: 'declined' | 'refused'; message: string }
  | { outcome: 'authenticate' };

export type BankDebit = 'bank-debit-succeeds' | 'bank-debit-fails';

const UNKNOWN_PAYER: Payer = { email: null, name: null };
const AUTHENTICATION_FAILED =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

export function payByCard(
  state: StripeState,
  sessionId: string,
  number: string,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const checkout = state.findCheckout(sessionId);
  const reason = reasonNotPayable(state, checkout);
  if (reason !== null) return { outcome: 'refused', message: reason };
  const card = findTestCard(number);
  if (!card) return { outcome: 'declined', message: 'Your card number is invalid.' };

  const intent = getOrCreateIntent(state, checkout);
  const paymentMethod: PaymentMethod = {
    type: 'card',
    brand: card.brand,
    last4: card.number.slice(-4),
  };
  const { behavior } = card;
  if (behavior.kind === 'authenticates') {
    intent.status = 'requires_action';
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    return { outcome: 'authenticate' };
  }
  const charge = createCharge(state, intent, paymentMethod, payer);
  return behavior.kind === 'declined'
    ? recordDecline(state, checkout, charge, behavior)
    : recordSuccess(state, checkout, charge, payer);
}

/** Completes 3-D Secure authentication. */
export function authenticate(
  state: StripeState,
  sessionId: string,
  passed: boolean,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const checkout = state.findCheckout(sessionId);
  const reason = reasonNotPayable(state, checkout);
  if (reason !== null) return { outcome: 'refused', message: reason };
  const intent = getOrCreateIntent(state, checkout);
  if (intent.status !== 'requires_action') {
    return { outcome: 'refused', message: 'There is nothing to authenticate.' };
  }
  intent.next_action = null;
  if (passed) {
    const paymentMethod: PaymentMethod = { type: 'card', brand: 'visa', last4: '3155' };
    return recordSuccess(state, checkout, createCharge(state, intent, paymentMethod, payer), payer);
  }
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: AUTHENTICATION_FAILED,
  };
  emitEvent(state, checkout.store, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: AUTHENTICATION_FAILED };
}

/** Completes the session immediately but leaves it unpaid, because the debit settles days later. */
export function payByBank(
  state: StripeState,
  sessionId: string,
  debit: BankDebit,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const checkout = state.findCheckout(sessionId);
  const reason = reasonNotPayable(state, checkout);
  if (reason !== null) return { outcome: 'refused', message: reason };

  const intent = getOrCreateIntent(state, checkout);
  const charge = checkout.store.charges.add(
    createCharge(state, intent, { type: 'bacs_debit' }, payer),
  );
  intent.status = 'processing';
  intent.latest_charge = charge.id;
  intent.payment_method = charge.payment_method;
  checkout.debitOutcome = debit === 'bank-debit-succeeds' ? 'succeeded' : 'failed';
  completeSession(state, checkout, payer, 'unpaid');
  emitEvent(state, checkout.store, 'checkout.session.completed', checkout.session);
  return { outcome: 'processing', redirect: getSuccessUrl(checkout.session) };
}

/** The message for the payer if the session cannot be paid, or null. */
export function reasonNotPayable(state: StripeState, checkout: CheckoutState): string | null {
  expireOverdueSessions(state);
  if (checkout.session.status === 'complete') {
    return 'This payment has already been made. You were not charged again.';
  }
  if (checkout.session.status === 'expired') {
    return 'This payment page has expired. You were not charged.';
  }
  const account =
    checkout.store.account === null ? undefined : state.accounts.get(checkout.store.account);
  if (account && (account.closed || account.cardPayments !== 'active')) {
    return 'This business cannot take payments at the moment. You were not charged.';
  }
  return null;
}

function getOrCreateIntent(state: StripeState, checkout: CheckoutState): Stripe.PaymentIntent {
  const { store, session } = checkout;
  const existing = store.intents.get(idOf(session.payment_intent));
  if (existing) return existing;
  const intent = store.intents.add(createIntent(state, checkout));
  session.payment_intent = intent.id;
  return intent;
}

function recordSuccess(
  state: StripeState,
  checkout: CheckoutState,
  charge: Stripe.Charge,
  payer: Payer,
): PayResult {
  const { store, session } = checkout;
  const intent = getOrCreateIntent(state, checkout);
  store.charges.add(charge);
  settleCharge(state, checkout, intent, charge);
  completeSession(state, checkout, payer, 'paid');
  emitEvent(state, store, 'charge.succeeded', charge);
  emitEvent(state, store, 'payment_intent.succeeded', intent);
  emitEvent(state, store, 'checkout.session.completed', session);
  return { outcome: 'paid', redirect: getSuccessUrl(session) };
}

function recordDecline(
  state: StripeState,
  checkout: CheckoutState,
  charge: Stripe.Charge,
  behavior: CardBehavior & { kind: 'declined' },
): PayResult {
  const intent = getOrCreateIntent(state, checkout);
  checkout.store.charges.add(charge);
  charge.status = 'failed';
  charge.failure_code = behavior.code;
  charge.failure_message = behavior.message;
  charge.outcome = chargeOutcome('declined_by_network', behavior.message, 'issuer_declined');
  intent.status = 'requires_payment_method';
  intent.latest_charge = charge.id;
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: behavior.code,
    ...(behavior.declineCode === undefined ? {} : { decline_code: behavior.declineCode }),
    message: behavior.message,
  };
  emitEvent(state, checkout.store, 'charge.failed', charge);
  emitEvent(state, checkout.store, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: behavior.message };
}

function completeSession(
  state: StripeState,
  { session }: CheckoutState,
  payer: Payer,
  status: 'paid' | 'unpaid',
): void {
  state.openSessions.delete(session);
  session.status = 'complete';
  session.payment_status = status;
  session.url = null;
  session.customer_details = {
    address: null,
    business_name: null,
    email: payer.email ?? session.customer_email,
    individual_name: null,
    name: payer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  };
}

function getSuccessUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
