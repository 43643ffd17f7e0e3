import type { Stripe } from 'stripe';
import { recordCharge } from './balance.ts';
import type { CheckoutState, StripeState } from './state.ts';

/** Marks the charge and its payment intent as paid. */
export function settleCharge(
  state: StripeState,
  checkout: CheckoutState,
  intent: Stripe.PaymentIntent,
  charge: Stripe.Charge,
): void {
  Object.assign(charge, {
    status: 'succeeded',
    paid: true,
    captured: true,
    amount_captured: charge.amount,
    application_fee: checkout.applicationFee === null ? null : state.newId('applicationFee'),
    balance_transaction: recordCharge(state, checkout.store, charge),
    outcome: chargeOutcome('approved_by_network', 'Payment complete.', 'authorized'),
  } satisfies Partial<Stripe.Charge>);
  Object.assign(intent, {
    status: 'succeeded',
    amount_received: intent.amount,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    last_payment_error: null,
  } satisfies Partial<Stripe.PaymentIntent>);
}

export function chargeOutcome(
  network: string,
  message: string,
  type: string,
): Stripe.Charge.Outcome {
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: network,
    reason: null,
    risk_level: 'normal',
    seller_message: message,
    type,
  };
}
