import type { Stripe } from 'stripe';
import { type CardBehaviour, findCard } from './cards.ts';
import { emitEvent } from './events.ts';
import { idOf } from './ids.ts';
import { newCharge, newIntent, type Payer, type PaymentMeans } from './payment-objects.ts';
import { expireOverdue } from './sessions.ts';
import { chargeOutcome, settleCharge } from './settle-charge.ts';
import type { CheckoutPlan, StripeState } from './state.ts';

/** The result shown to the payer. */
export type PayResult =
  | { outcome: 'paid' | 'processing'; redirect: string }
  | { outcome: 'declined' | 'refused'; message: string }
  | { outcome: 'authenticate' };

export type BankDebit = 'bank-debit-succeeds' | 'bank-debit-fails';

const UNKNOWN_PAYER: Payer = { email: null, name: null };
const CANNOT_AUTHENTICATE =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

export function payByCard(
  state: StripeState,
  sessionId: string,
  number: string,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const plan = state.plan(sessionId);
  const closed = closedReason(state, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };
  const card = findCard(number);
  if (!card) return { outcome: 'declined', message: 'Your card number is invalid.' };

  const intent = intentOf(state, plan);
  const means: PaymentMeans = { type: 'card', brand: card.brand, last4: card.number.slice(-4) };
  const { behaviour } = card;
  if (behaviour.kind === 'authenticates') {
    intent.status = 'requires_action';
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    return { outcome: 'authenticate' };
  }
  const charge = newCharge(state, intent, means, payer);
  return behaviour.kind === 'declined'
    ? decline(state, plan, charge, behaviour)
    : succeed(state, plan, charge, payer);
}

/** Completes 3-D Secure authentication. */
export function authenticate(
  state: StripeState,
  sessionId: string,
  passed: boolean,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const plan = state.plan(sessionId);
  const closed = closedReason(state, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };
  const intent = intentOf(state, plan);
  if (intent.status !== 'requires_action') {
    return { outcome: 'refused', message: 'There is nothing to authenticate.' };
  }
  intent.next_action = null;
  if (passed) {
    const means: PaymentMeans = { type: 'card', brand: 'visa', last4: '3155' };
    return succeed(state, plan, newCharge(state, intent, means, payer), payer);
  }
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: CANNOT_AUTHENTICATE,
  };
  emitEvent(state, plan.store, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: CANNOT_AUTHENTICATE };
}

/** Completes the session at once, but unpaid: the debit settles days later. */
export function payByBank(
  state: StripeState,
  sessionId: string,
  debit: BankDebit,
  payer: Payer = UNKNOWN_PAYER,
): PayResult {
  const plan = state.plan(sessionId);
  const closed = closedReason(state, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };

  const intent = intentOf(state, plan);
  const charge = plan.store.charges.add(newCharge(state, intent, { type: 'bacs_debit' }, payer));
  intent.status = 'processing';
  intent.latest_charge = charge.id;
  intent.payment_method = charge.payment_method;
  plan.debitOutcome = debit === 'bank-debit-succeeds' ? 'succeeded' : 'failed';
  complete(state, plan, payer, 'unpaid');
  emitEvent(state, plan.store, 'checkout.session.completed', plan.session);
  return { outcome: 'processing', redirect: successUrl(plan.session) };
}

/** The message for the payer if the session cannot be paid, or null. */
export function closedReason(state: StripeState, plan: CheckoutPlan): string | null {
  expireOverdue(state);
  if (plan.session.status === 'complete') {
    return 'This payment has already been made. You were not charged again.';
  }
  if (plan.session.status === 'expired') {
    return 'This payment page has expired. You were not charged.';
  }
  const account = plan.store.account === null ? undefined : state.accounts.get(plan.store.account);
  if (account && (account.closed || account.cardPayments !== 'active')) {
    return 'This business cannot take payments at the moment. You were not charged.';
  }
  return null;
}

function intentOf(state: StripeState, plan: CheckoutPlan): Stripe.PaymentIntent {
  const { store, session } = plan;
  const existing = store.intents.get(idOf(session.payment_intent));
  if (existing) return existing;
  const intent = store.intents.add(newIntent(state, plan));
  session.payment_intent = intent.id;
  return intent;
}

function succeed(
  state: StripeState,
  plan: CheckoutPlan,
  charge: Stripe.Charge,
  payer: Payer,
): PayResult {
  const { store, session } = plan;
  const intent = intentOf(state, plan);
  store.charges.add(charge);
  settleCharge(state, plan, intent, charge);
  complete(state, plan, payer, 'paid');
  emitEvent(state, store, 'charge.succeeded', charge);
  emitEvent(state, store, 'payment_intent.succeeded', intent);
  emitEvent(state, store, 'checkout.session.completed', session);
  return { outcome: 'paid', redirect: successUrl(session) };
}

function decline(
  state: StripeState,
  plan: CheckoutPlan,
  charge: Stripe.Charge,
  behaviour: CardBehaviour & { kind: 'declined' },
): PayResult {
  const intent = intentOf(state, plan);
  plan.store.charges.add(charge);
  charge.status = 'failed';
  charge.failure_code = behaviour.code;
  charge.failure_message = behaviour.message;
  charge.outcome = chargeOutcome('declined_by_network', behaviour.message, 'issuer_declined');
  intent.status = 'requires_payment_method';
  intent.latest_charge = charge.id;
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: behaviour.code,
    ...(behaviour.declineCode === undefined ? {} : { decline_code: behaviour.declineCode }),
    message: behaviour.message,
  };
  emitEvent(state, plan.store, 'charge.failed', charge);
  emitEvent(state, plan.store, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: behaviour.message };
}

function complete(
  state: StripeState,
  { session }: CheckoutPlan,
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

function successUrl(session: Stripe.Checkout.Session): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id);
}
