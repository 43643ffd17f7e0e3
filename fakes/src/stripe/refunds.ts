import type { Stripe } from 'stripe';
import { recordTransaction } from './balance.ts';
import { emitEvent } from './emit-events.ts';
import { ApiError, invalidParam, noSuchObject } from './error-response.ts';
import type { Form } from './form-encoding.ts';
import { formatMoney } from './format-money.ts';
import { idOf } from './id-formats.ts';
import { parseMetadata, toText } from './parse-form-fields.ts';
import type { AccountStore, StripeState } from './state.ts';

export function createRefund(state: StripeState, store: AccountStore, params: Form): Stripe.Refund {
  const amount = readAmount(toText(params['amount']));
  const metadata = parseMetadata(params['metadata'], 'metadata');
  const charge = findChargeToRefund(
    store,
    toText(params['charge']),
    toText(params['payment_intent']),
  );
  const reason = toText(params['reason']);
  return refundCharge(state, store, charge, amount, { metadata, reason });
}

function readAmount(text: string | null): number | null {
  if (text === null) return null;
  if (!/^\d+$/.test(text) || Number(text) < 1) {
    throw invalidParam('amount', 'Invalid positive integer', 'parameter_invalid_integer');
  }
  return Number(text);
}

function findChargeToRefund(store: AccountStore, chargeId: string | null, intentId: string | null) {
  if (chargeId !== null) {
    const charge = store.charges.get(chargeId);
    if (!charge) throw noSuchObject('charge', chargeId, 'charge');
    return charge;
  }
  if (intentId === null) {
    const message =
      'One of the following params should be provided for this request: payment_intent or charge.';
    throw invalidParam('payment_intent', message, 'parameter_missing');
  }
  const intent = store.intents.get(intentId);
  if (!intent) throw noSuchObject('payment_intent', intentId, 'payment_intent');
  const charge = store.charges.get(idOf(intent.latest_charge));
  if (!charge || charge.status !== 'succeeded') {
    throw new ApiError({
      status: 400,
      code: 'payment_intent_unexpected_state',
      message: `This PaymentIntent (${intentId}) does not have a successful charge to refund.`,
      param: 'payment_intent',
    });
  }
  return charge;
}

/** Used by the API and by refunds from the dashboard. */
export function refundCharge(
  state: StripeState,
  store: AccountStore,
  charge: Stripe.Charge,
  amount: number | null,
  details: { metadata?: Record<string, string>; reason?: Stripe.Refund['reason'] } = {},
): Stripe.Refund {
  const refundable = charge.amount - charge.amount_refunded;
  assertRefundable(charge, amount, refundable);
  const refundAmount = amount ?? refundable;
  const isCardPayment = charge.payment_method_details?.type === 'card';
  const refund: Stripe.Refund = {
    id: state.newId('refund'),
    object: 'refund',
    amount: refundAmount,
    balance_transaction: null,
    charge: charge.id,
    created: state.clock.seconds(),
    currency: charge.currency,
    customer: null,
    customer_account: null,
    ...(isCardPayment ? { destination_details: { type: 'card', card: { type: 'refund' } } } : {}),
    metadata: details.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: details.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    // Card refunds succeed immediately; bank refunds stay pending for days.
    status: isCardPayment ? 'succeeded' : 'pending',
    transfer_reversal: null,
  };
  refund.balance_transaction = recordTransaction(state, store, {
    type: isCardPayment ? 'refund' : 'payment_refund',
    category: 'refund',
    source: refund.id,
    amount: -refundAmount,
    currency: charge.currency,
    description: `REFUND FOR CHARGE${charge.description === null ? '' : ` (${charge.description})`}`,
  });
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  charge.amount_refunded += refundAmount;
  charge.refunded = charge.amount_refunded === charge.amount;
  store.refunds.add(refund);
  emitEvent(state, store, 'refund.created', refund);
  emitEvent(state, store, 'charge.refunded', charge, previous);
  return refund;
}

function assertRefundable(charge: Stripe.Charge, amount: number | null, refundable: number): void {
  if (charge.status !== 'succeeded') {
    throw new ApiError({ status: 400, message: `Charge ${charge.id} was not successful.` });
  }
  if (charge.disputed) {
    throw new ApiError({
      status: 400,
      code: 'charge_disputed',
      message: `Charge ${charge.id} has been charged back; cannot issue a refund.`,
    });
  }
  if (refundable === 0) {
    throw new ApiError({
      status: 400,
      code: 'charge_already_refunded',
      message: `Charge ${charge.id} has already been refunded.`,
    });
  }
  if (amount !== null && amount > refundable) {
    const requested = formatMoney(amount, charge.currency);
    const message = `Refund amount (${requested}) is greater than unrefunded amount on charge (${formatMoney(refundable, charge.currency)})`;
    throw new ApiError({ status: 400, message, param: 'amount' });
  }
}

/** The payer's bank rejects the refund: the money is returned and the charge is restored. */
export function failRefund(state: StripeState, store: AccountStore, refund: Stripe.Refund): void {
  if (refund.status === 'failed') throw new Error(`${refund.id} has already failed`);
  const charge = store.charges.get(idOf(refund.charge));
  if (!charge) throw new Error(`${refund.id} has no charge`);
  const previous = { status: refund.status };
  refund.status = 'failed';
  refund.failure_reason = 'expired_or_canceled_card';
  refund.failure_balance_transaction = recordTransaction(state, store, {
    type: 'refund_failure',
    category: 'refund_failure',
    source: refund.id,
    amount: refund.amount,
    currency: refund.currency,
    description: null,
  });
  charge.amount_refunded -= refund.amount;
  charge.refunded = false;
  emitEvent(state, store, 'refund.updated', refund, previous);
  emitEvent(state, store, 'refund.failed', refund, previous);
}

/** A pending refund succeeds. */
export function settleRefund(state: StripeState, store: AccountStore, refund: Stripe.Refund): void {
  if (refund.status !== 'pending') throw new Error(`${refund.id} is not pending`);
  refund.status = 'succeeded';
  emitEvent(state, store, 'refund.updated', refund, { status: 'pending' });
}
