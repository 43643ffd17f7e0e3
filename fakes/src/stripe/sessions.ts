import type { Stripe } from 'stripe';
import { tell } from './events.ts';
import type { Form } from './form.ts';
import { idOf } from './ids.ts';
import { invalidParam, missingParam, noSuch, Refusal } from './refusal.ts';
import {
  asForm,
  type LineAsk,
  readEmail,
  readExpiry,
  readLines,
  readMetadata,
  readUrl,
  textOf,
  wholeNumber,
} from './session-params.ts';
import { blankSession } from './session-shape.ts';
import type { Room, World } from './world.ts';

type Session = Stripe.Checkout.Session;

export function createSession(world: World, room: Room, params: Form): Session {
  if (params['mode'] === undefined) throw missingParam('mode');
  if (params['mode'] !== 'payment') {
    throw invalidParam('mode', 'Here only sessions in `payment` mode can be made.');
  }
  const lines = readLines(params['line_items']);
  const successUrl = readUrl(params['success_url'], 'success_url');
  if (successUrl === null) throw missingParam('success_url');
  const reference = textOf(params['client_reference_id']);
  if (reference !== null && reference.length > 200) {
    throw invalidParam('client_reference_id', 'Can be at most 200 characters.');
  }
  const intentData = asForm(params['payment_intent_data']);
  const fee = intentData['application_fee_amount'];
  const now = world.clock.seconds();
  const session: Session = {
    ...blankSession(),
    id: world.newId('session'),
    cancel_url: readUrl(params['cancel_url'], 'cancel_url'),
    client_reference_id: reference,
    created: now,
    customer_email: readEmail(params['customer_email'], 'customer_email'),
    expires_at: readExpiry(params['expires_at'], now),
    locale: textOf(params['locale']),
    metadata: readMetadata(params['metadata'], 'metadata'),
    submit_type: textOf(params['submit_type']),
    success_url: successUrl,
  };
  const intentMetadata = readMetadata(intentData['metadata'], 'payment_intent_data[metadata]');
  const applicationFee =
    fee === undefined ? null : wholeNumber(fee, 'payment_intent_data[application_fee_amount]');

  refuseWithoutCards(world, room);
  const lineItems = lines.map((line) => lineItem(world, line));
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  if (applicationFee !== null && applicationFee > total) {
    throw invalidParam('payment_intent_data[application_fee_amount]', 'The fee is too large.');
  }
  session.amount_subtotal = total;
  session.amount_total = total;
  session.currency = lines[0]?.currency ?? null;
  session.url = `${world.baseUrl}/c/pay/${session.id}`;

  room.sessions.add(session);
  world.openSessions.add(session);
  world.plans.set(session.id, {
    room,
    session,
    lineItems,
    intentMetadata,
    description: textOf(intentData['description']),
    receiptEmail: textOf(intentData['receipt_email']),
    applicationFee,
    laterOutcome: null,
  });
  return session;
}

function refuseWithoutCards(world: World, room: Room): void {
  if (room.account === null) return;
  if (world.accounts.get(room.account)?.cardPayments === 'active') return;
  throw new Refusal({
    status: 400,
    message:
      'Your account cannot currently make charges. Complete onboarding, or see the requirements ' +
      'of the account for what is missing.',
  });
}

export function expireSession(world: World, room: Room, id: string): Session {
  const session = findSession(room, id);
  if (session.status !== 'open') {
    const message =
      'Only Checkout Sessions with a status in ["open"] can be expired. ' +
      `This Checkout Session has a status of ${session.status}.`;
    throw new Refusal({ status: 400, message });
  }
  letExpire(world, room, session);
  return session;
}

/** Called before anything looks at sessions: time alone ends them. */
export function expireOverdue(world: World): void {
  const now = world.clock.seconds();
  for (const session of world.openSessions) {
    if (session.expires_at <= now) letExpire(world, world.plan(session.id).room, session);
  }
}

function letExpire(world: World, room: Room, session: Session): void {
  world.openSessions.delete(session);
  session.status = 'expired';
  session.url = null;
  const intent = room.intents.get(idOf(session.payment_intent));
  if (intent) {
    intent.status = 'canceled';
    intent.canceled_at = world.clock.seconds();
    intent.next_action = null;
  }
  tell(world, room, 'checkout.session.expired', session);
}

export function findSession(room: Room, id: string): Session {
  const session = room.sessions.get(id);
  if (!session) throw noSuch('checkout.session', id, 'session');
  return session;
}

function lineItem(world: World, line: LineAsk): Stripe.LineItem {
  const amount = line.unitAmount * line.quantity;
  return {
    id: world.newId('lineItem'),
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
      id: world.newId('price'),
      object: 'price',
      active: false,
      billing_scheme: 'per_unit',
      created: world.clock.seconds(),
      currency: line.currency,
      custom_unit_amount: null,
      livemode: false,
      lookup_key: null,
      metadata: {},
      nickname: null,
      product: world.newId('product'),
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
