import type { Stripe } from 'stripe';
import { bookMovement } from './balance.ts';
import { tell } from './events.ts';
import type { Form } from './form.ts';
import { idOf } from './ids.ts';
import { inWords } from './money-words.ts';
import { invalidParam, noSuch, Refusal } from './refusal.ts';
import { readMetadata, textOf } from './session-params.ts';
import type { Room, World } from './world.ts';

export function createRefund(world: World, room: Room, params: Form): Stripe.Refund {
  const amount = readAmount(textOf(params['amount']));
  const metadata = readMetadata(params['metadata'], 'metadata');
  const charge = chargeToRefund(room, textOf(params['charge']), textOf(params['payment_intent']));
  const reason = textOf(params['reason']);
  return refundCharge(world, room, charge, amount, { metadata, reason });
}

function readAmount(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d+$/.test(text) || Number(text) < 1) {
    throw invalidParam('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  }
  return Number(text);
}

function chargeToRefund(room: Room, chargeId: string | null, intentId: string | null) {
  if (chargeId !== null) {
    const charge = room.charges.get(chargeId);
    if (!charge) throw noSuch('charge', chargeId, 'charge');
    return charge;
  }
  if (intentId === null) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidParam('payment_intent', message, 'parameter_missing');
  }
  const intent = room.intents.get(intentId);
  if (!intent) throw noSuch('payment_intent', intentId, 'payment_intent');
  const charge = room.charges.get(idOf(intent.latest_charge));
  if (!charge || charge.status !== 'succeeded') {
    throw new Refusal({
      status: 400,
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      param: 'payment_intent',
    });
  }
  return charge;
}

/** Also what the tutor's own dashboard does. */
export function refundCharge(
  world: World,
  room: Room,
  charge: Stripe.Charge,
  amount: number | null,
  more: { metadata?: Record<string, string>; reason?: Stripe.Refund['reason'] } = {},
): Stripe.Refund {
  const left = charge.amount - charge.amount_refunded;
  refuseImpossible(charge, amount, left);
  const refunding = amount ?? left;
  const byCard = charge.payment_method_details?.type === 'card';
  const refund: Stripe.Refund = {
    id: world.newId('refund'),
    object: 'refund',
    amount: refunding,
    balance_transaction: null,
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    ...(byCard ? { destination_details: { type: 'card', card: { type: 'refund' } } } : {}),
    metadata: more.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: more.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    // A card takes the money back at once; a bank says so days later.
    status: byCard ? 'succeeded' : 'pending',
    transfer_reversal: null,
  };
  refund.balance_transaction = bookMovement(world, room, {
    type: byCard ? 'refund' : 'payment_refund',
    category: 'refund',
    source: refund.id,
    amount: -refunding,
    currency: charge.currency,
    description: `REFUND FOR CHARGE${charge.description === null ? '' : ` (${charge.description})`}`,
  });
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += refunding;
  charge.refunded = charge.amount_refunded === charge.amount;
  room.refunds.add(refund);
  tell(world, room, 'refund.created', refund);
  tell(world, room, 'charge.refunded', charge, previous);
  return refund;
}

function refuseImpossible(charge: Stripe.Charge, amount: number | null, left: number): void {
  if (charge.status !== 'succeeded') {
    throw new Refusal({ status: 400, message: `Charge ${charge.id} was not successful.` });
  }
  if (charge.disputed) {
    throw new Refusal({
      status: 400,
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    });
  }
  if (left === 0) {
    throw new Refusal({
      status: 400,
      code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.`,
    });
  }
  if (amount !== null && amount > left) {
    const asked = inWords(amount, charge.currency);
    const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${inWords(left, charge.currency)})`;
    throw new Refusal({ status: 400, message, param: 'amount' });
  }
}

/** The bank sends the money back: the payer does not get it, and the charge is as it was before. */
export function failRefund(world: World, room: Room, refund: Stripe.Refund): void {
  if (refund.status === 'failed') throw new Error(`${refund.id} has failed already`);
  const charge = room.charges.get(idOf(refund.charge));
  if (!charge) throw new Error(`${refund.id} belongs to no charge`);
  const previous = { status: refund.status };
  refund.status = 'failed';
  refund.failure_reason = 'expired_or_canceled_card';
  refund.failure_balance_transaction = bookMovement(world, room, {
    type: 'refund_failure',
    category: 'refund_failure',
    source: refund.id,
    amount: refund.amount,
    currency: refund.currency,
    description: null,
  });
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  tell(world, room, 'refund.updated', refund, previous);
  tell(world, room, 'refund.failed', refund, previous);
}

/** The bank has paid out a refund that was pending. */
export function settleRefund(world: World, room: Room, refund: Stripe.Refund): void {
  if (refund.status !== 'pending') throw new Error(`${refund.id} is not pending`);
  refund.status = 'succeeded';
  tell(world, room, 'refund.updated', refund, { status: 'pending' });
}
