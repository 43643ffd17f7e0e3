import type { Stripe } from 'stripe';
import type { CheckoutState, StripeState } from './state.ts';

/** A card, or a bank debit that settles days later. */
export type PaymentMethod = { type: 'card'; brand: string; last4: string } | { type: 'bacs_debit' };

export interface Payer {
  email: string | null;
  name: string | null;
}

export function createIntent(state: StripeState, checkout: CheckoutState): Stripe.PaymentIntent {
  const id = state.newId('intent');
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount: checkout.session.amount_total ?? 0,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: checkout.applicationFee,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: 'automatic_async',
    client_secret: `${id}_secret_${state.newId('link').slice(0, 25)}`,
    confirmation_method: 'automatic',
    created: state.clock.seconds(),
    currency: checkout.session.currency ?? '',
    customer: null,
    customer_account: null,
    description: checkout.description,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: { ...checkout.intentMetadata },
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_method_types: [...checkout.session.payment_method_types],
    payment_record: null,
    processing: null,
    receipt_email: checkout.receiptEmail,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  };
}

export function createCharge(
  state: StripeState,
  intent: Stripe.PaymentIntent,
  paymentMethod: PaymentMethod,
  payer: Payer,
): Stripe.Charge {
  const id = state.newId(paymentMethod.type === 'card' ? 'charge' : 'bankCharge');
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: intent.application_fee_amount,
    balance_transaction: null,
    billing_details: {
      address: null,
      email: payer.email,
      name: payer.name,
      phone: null,
      tax_id: null,
    },
    calculated_statement_descriptor: 'LESSONBOOK TEST',
    captured: false,
    created: state.clock.seconds(),
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: { ...intent.metadata },
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method: state.newId('paymentMethod'),
    payment_method_details: toMethodDetails(paymentMethod),
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: `${state.baseUrl}/receipts/${id}`,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'pending',
    transfer_data: null,
    transfer_group: null,
  };
}

function toMethodDetails(paymentMethod: PaymentMethod): Stripe.Charge.PaymentMethodDetails {
  if (paymentMethod.type === 'bacs_debit') {
    return {
      type: 'bacs_debit',
      bacs_debit: { fingerprint: null, last4: '2345', mandate: null, sort_code: '108800' },
    };
  }
  return {
    type: 'card',
    card: {
      amount_authorized: null,
      authorization_code: null,
      brand: paymentMethod.brand,
      checks: {
        address_line1_check: null,
        address_postal_code_check: null,
        cvc_check: 'pass',
      },
      country: 'GB',
      electronic_commerce_indicator: null,
      exp_month: 12,
      exp_year: 2034,
      funding: 'credit',
      installments: null,
      last4: paymentMethod.last4,
      mandate: null,
      network: paymentMethod.brand,
      network_transaction_id: null,
      regulated_status: null,
      three_d_secure: null,
      transaction_link_id: null,
      wallet: null,
    },
  };
}
