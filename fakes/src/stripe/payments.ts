import type { Stripe } from 'stripe';
import { type CardBehaviour, findCard } from './cards.ts';
import { tell } from './events.ts';
import { idOf } from './ids.ts';
import { type Means, newCharge, newIntent, type Payer } from './payment-shapes.ts';
import { expireOverdue } from './sessions.ts';
import { outcome, settleCharge } from './settle-charge.ts';
import type { SessionPlan, World } from './world.ts';

/** What a payer sees after pressing the button. */
export type PayResult =
  | { outcome: 'paid' | 'processing'; redirect: string }
  | { outcome: 'declined' | 'refused'; message: string }
  | { outcome: 'authenticate' };

export type BankDebit = 'bank-debit-succeeds' | 'bank-debit-fails';

const NOBODY: Payer = { email: null, name: null };
const CANNOT_AUTHENTICATE =
  'We are unable to authenticate your payment method. Please choose a different payment method and try again.';

export function payByCard(
  world: World,
  sessionId: string,
  number: string,
  payer: Payer = NOBODY,
): PayResult {
  const plan = world.plan(sessionId);
  const closed = whyClosed(world, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };
  const card = findCard(number);
  if (!card) return { outcome: 'declined', message: 'Your card number is invalid.' };

  const intent = intentOf(world, plan);
  const means: Means = { type: 'card', brand: card.brand, last4: card.number.slice(-4) };
  const { behaviour } = card;
  if (behaviour.kind === 'authenticates') {
    intent.status = 'requires_action';
    intent.next_action = { type: 'use_stripe_sdk', use_stripe_sdk: {} };
    return { outcome: 'authenticate' };
  }
  const charge = newCharge(world, intent, means, payer);
  return behaviour.kind === 'declined'
    ? decline(world, plan, charge, behaviour)
    : succeed(world, plan, charge, payer);
}

/** What the bank's page reports, for a card that asked for it. */
export function authenticate(
  world: World,
  sessionId: string,
  passed: boolean,
  payer: Payer = NOBODY,
): PayResult {
  const plan = world.plan(sessionId);
  const closed = whyClosed(world, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };
  const intent = intentOf(world, plan);
  if (intent.status !== 'requires_action') {
    return { outcome: 'refused', message: 'There is nothing to authenticate.' };
  }
  intent.next_action = null;
  if (passed) {
    const means: Means = { type: 'card', brand: 'visa', last4: '3155' };
    return succeed(world, plan, newCharge(world, intent, means, payer), payer);
  }
  intent.status = 'requires_payment_method';
  intent.last_payment_error = {
    type: 'card_error',
    code: 'payment_intent_authentication_failure',
    message: CANNOT_AUTHENTICATE,
  };
  tell(world, plan.room, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: CANNOT_AUTHENTICATE };
}

/** The session is complete at once, but nobody knows for days whether the money comes. */
export function payByBank(
  world: World,
  sessionId: string,
  debit: BankDebit,
  payer: Payer = NOBODY,
): PayResult {
  const plan = world.plan(sessionId);
  const closed = whyClosed(world, plan);
  if (closed !== null) return { outcome: 'refused', message: closed };

  const intent = intentOf(world, plan);
  const charge = plan.room.charges.add(newCharge(world, intent, { type: 'bacs_debit' }, payer));
  intent.status = 'processing';
  intent.latest_charge = charge.id;
  intent.payment_method = charge.payment_method;
  plan.laterOutcome = debit === 'bank-debit-succeeds' ? 'succeeded' : 'failed';
  complete(world, plan, payer, 'unpaid');
  tell(world, plan.room, 'checkout.session.completed', plan.session);
  return { outcome: 'processing', redirect: successUrl(plan.session) };
}

/** Why a session takes no payment any more, in words for the payer. */
export function whyClosed(world: World, plan: SessionPlan): string | null {
  expireOverdue(world);
  if (plan.session.status === 'complete') {
    return 'This payment has already been made. You were not charged again.';
  }
  if (plan.session.status === 'expired') {
    return 'This payment page has expired. You were not charged.';
  }
  const account = plan.room.account === null ? undefined : world.accounts.get(plan.room.account);
  if (account && (account.closed || account.cardPayments !== 'active')) {
    return 'This business cannot take payments at the moment. You were not charged.';
  }
  return null;
}

function intentOf(world: World, plan: SessionPlan): Stripe.PaymentIntent {
  const { room, session } = plan;
  const existing = room.intents.get(idOf(session.payment_intent));
  if (existing) return existing;
  const intent = room.intents.add(newIntent(world, plan));
  session.payment_intent = intent.id;
  return intent;
}

function succeed(world: World, plan: SessionPlan, charge: Stripe.Charge, payer: Payer): PayResult {
  const { room, session } = plan;
  const intent = intentOf(world, plan);
  room.charges.add(charge);
  settleCharge(world, plan, intent, charge);
  complete(world, plan, payer, 'paid');
  tell(world, room, 'charge.succeeded', charge);
  tell(world, room, 'payment_intent.succeeded', intent);
  tell(world, room, 'checkout.session.completed', session);
  return { outcome: 'paid', redirect: successUrl(session) };
}

function decline(
  world: World,
  plan: SessionPlan,
  charge: Stripe.Charge,
  why: CardBehaviour & { kind: 'declined' },
): PayResult {
  const intent = intentOf(world, plan);
  plan.room.charges.add(charge);
  charge.status = 'failed';
  charge.failure_code = why.code;
  charge.failure_message = why.message;
  charge.outcome = outcome('declined_by_network', why.message, 'issuer_declined');
  intent.status = 'requires_payment_method';
  intent.latest_charge = charge.id;
  intent.last_payment_error = {
    type: 'card_error',
    charge: charge.id,
    code: why.code,
    ...(why.declineCode === undefined ? {} : { decline_code: why.declineCode }),
    message: why.message,
  };
  tell(world, plan.room, 'charge.failed', charge);
  tell(world, plan.room, 'payment_intent.payment_failed', intent);
  return { outcome: 'declined', message: why.message };
}

function complete(
  world: World,
  { session }: SessionPlan,
  payer: Payer,
  status: 'paid' | 'unpaid',
): void {
  world.openSessions.delete(session);
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
