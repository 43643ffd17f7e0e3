import type { Stripe } from 'stripe';
import { createBlankSession } from './blank-checkout-session.ts';
import { type LineParams, parseExpiry, parseLines } from './checkout-session-params.ts';
import { emitEvent } from './emit-events.ts';
import { ApiError, invalidParam, missingParam, noSuchObject } from './error-response.ts';
import type { Form } from './form-encoding.ts';
import { idOf } from './id-formats.ts';
import {
  asForm,
  parseEmail,
  parseInteger,
  parseMetadata,
  parseUrl,
  toText,
} from './parse-form-fields.ts';
import type { AccountStore, StripeState } from './state.ts';

type Session = Stripe.Checkout.Session;

export function createSession(state: StripeState, store: AccountStore, params: Form): Session {
  if (params['mode'] === undefined) throw missingParam('mode');
  if (params['mode'] !== 'payment') {
    throw invalidParam('mode', 'The fake supports only `payment` mode.');
  }
  const lines = parseLines(params['line_items']);
  const successUrl = parseUrl(params['success_url'], 'success_url');
  if (successUrl === null) throw missingParam('success_url');
  const reference = toText(params['client_reference_id']);
  if (reference !== null && reference.length > 200) {
    throw invalidParam('client_reference_id', 'Can be at most 200 characters.');
  }
  const intentData = asForm(params['payment_intent_data']);
  const fee = intentData['application_fee_amount'];
  const now = state.clock.seconds();
  const session: Session = {
    ...createBlankSession(),
    id: state.newId('session'),
    cancel_url: parseUrl(params['cancel_url'], 'cancel_url'),
    client_reference_id: reference,
    created: now,
    customer_email: parseEmail(params['customer_email'], 'customer_email'),
    expires_at: parseExpiry(params['expires_at'], now),
    locale: toText(params['locale']),
    metadata: parseMetadata(params['metadata'], 'metadata'),
    submit_type: toText(params['submit_type']),
    success_url: successUrl,
  };
  const intentMetadata = parseMetadata(intentData['metadata'], 'payment_intent_data[metadata]');
  const applicationFee =
    fee === undefined ? null : parseInteger(fee, 'payment_intent_data[application_fee_amount]');

  assertCardsActive(state, store);
  const lineItems = lines.map((line) => createLineItem(state, line));
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  if (applicationFee !== null && applicationFee > total) {
    throw invalidParam('payment_intent_data[application_fee_amount]', 'The fee is too large.');
  }
  session.amount_subtotal = total;
  session.amount_total = total;
  session.currency = lines[0]?.currency ?? null;
  session.url = `${state.baseUrl}/c/pay/${session.id}`;

  store.sessions.add(session);
  state.openSessions.add(session);
  state.checkouts.set(session.id, {
    store,
    session,
    lineItems,
    intentMetadata,
    description: toText(intentData['description']),
    receiptEmail: toText(intentData['receipt_email']),
    applicationFee,
    debitOutcome: null,
  });
  return session;
}

function assertCardsActive(state: StripeState, store: AccountStore): void {
  if (store.account === null) return;
  if (state.accounts.get(store.account)?.cardPayments === 'active') return;
  throw new ApiError({
    status: 400,
    message:
      'Your account cannot currently make charges. Complete onboarding, or check the requirements ' +
      'of the account.',
  });
}

export function expireSession(state: StripeState, store: AccountStore, id: string): Session {
  const session = findSession(store, id);
  if (session.status !== 'open') {
    const message =
      'Only Checkout Sessions with a status in ["open"] can be expired. ' +
      `This Checkout Session has a status of ${session.status}.`;
    throw new ApiError({ status: 400, message });
  }
  markExpired(state, store, session);
  return session;
}

/** Expires overdue sessions; called before sessions are read. */
export function expireOverdueSessions(state: StripeState): void {
  const now = state.clock.seconds();
  for (const session of state.openSessions) {
    if (session.expires_at <= now)
      markExpired(state, state.findCheckout(session.id).store, session);
  }
}

function markExpired(state: StripeState, store: AccountStore, session: Session): void {
  state.openSessions.delete(session);
  session.status = 'expired';
  session.url = null;
  const intent = store.intents.get(idOf(session.payment_intent));
  if (intent) {
    intent.status = 'canceled';
    intent.canceled_at = state.clock.seconds();
    intent.next_action = null;
  }
  emitEvent(state, store, 'checkout.session.expired', session);
}

export function findSession(store: AccountStore, id: string): Session {
  const session = store.sessions.get(id);
  if (!session) throw noSuchObject('checkout.session', id, 'session');
  return session;
}

function createLineItem(state: StripeState, line: LineParams): Stripe.LineItem {
  const amount = line.unitAmount * line.quantity;
  return {
    id: state.newId('lineItem'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: line.currency,
    description: line.name,
    metadata: {},
    price: {
      id: state.newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: state.clock.seconds(),
      currency: line.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: state.newId('product'),
      recurring: null,
      tax_behavior: 'unspecified',
      tiers_mode: null,
      transform_quantity: null,
      type: 'one_time',
      unit_amount: line.unitAmount,
      unit_amount_decimal: String(
        line.unitAmount,
      ) as unknown as Stripe.Price['unit_amount_decimal'],
    },
    quantity: line.quantity,
  };
}
