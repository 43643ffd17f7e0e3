import type { Stripe } from 'stripe';
import { recordTransaction } from './balance.ts';
import { emitEvent } from './emit-events.ts';
import { idOf } from './id-formats.ts';
import type { AccountStore, StripeState } from './state.ts';

export interface DisputeOptions {
  amount?: number;
  reason?: string;
}

const FEE = 2_000;

/** Opens a dispute: the amount and a fee are withdrawn immediately. */
export function openDispute(
  state: StripeState,
  store: AccountStore,
  charge: Stripe.Charge,
  options: DisputeOptions = {},
): Stripe.Dispute {
  if (charge.status !== 'succeeded') throw new Error(`${charge.id} was not paid`);
  if (charge.disputed) throw new Error(`${charge.id} is already disputed`);
  charge.disputed = true;
  const dispute: Stripe.Dispute = {
    id: state.newId('dispute'),
    object: 'dispute',
    amount: options.amount ?? charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: state.clock.seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: emptyEvidence(),
    evidence_details: {
      due_by: state.clock.seconds() + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      type: 'card',
      card: {
        brand: charge.payment_method_details?.card?.brand ?? 'visa',
        case_type: 'chargeback',
        network: 'visa',
        network_reason_code: '10.4',
      },
    },
    reason: options.reason ?? 'fraudulent',
    status: 'needs_response',
  };
  store.disputes.add(dispute);
  emitEvent(state, store, 'charge.dispute.created', dispute);
  recordDisputeTransaction(state, store, dispute, -dispute.amount, FEE);
  emitEvent(state, store, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Submits evidence; the dispute is then under review. */
export function sendEvidence(
  state: StripeState,
  store: AccountStore,
  dispute: Stripe.Dispute,
): void {
  const previous = { status: dispute.status };
  dispute.status = 'under_review';
  dispute.evidence_details.has_evidence = true;
  dispute.evidence_details.submission_count += 1;
  dispute.evidence_details.submission_method = 'manual';
  emitEvent(state, store, 'charge.dispute.updated', dispute, previous);
}

export function closeDispute(
  state: StripeState,
  store: AccountStore,
  dispute: Stripe.Dispute,
  result: 'won' | 'lost',
): void {
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw new Error(`${dispute.id} is already closed`);
  }
  const previous = { status: dispute.status };
  dispute.status = result;
  if (result === 'won') {
    recordDisputeTransaction(state, store, dispute, dispute.amount, 0);
    emitEvent(state, store, 'charge.dispute.funds_reinstated', dispute);
  }
  emitEvent(state, store, 'charge.dispute.closed', dispute, previous);
}

function recordDisputeTransaction(
  state: StripeState,
  store: AccountStore,
  dispute: Stripe.Dispute,
  amount: number,
  fee: number,
): void {
  const { currency } = dispute;
  const description = 'Dispute fee';
  const id = recordTransaction(state, store, {
    type: 'adjustment',
    category: amount < 0 ? 'dispute' : 'dispute_reversal',
    source: dispute.id,
    amount,
    currency,
    fees:
      fee === 0
        ? []
        : [{ amount: fee, application: null, currency, description, type: 'stripe_fee' }],
    description: `Chargeback ${amount < 0 ? 'withdrawal' : 'reversal'} for ${idOf(dispute.charge)}`,
  });
  const transaction = store.transactions.get(id);
  if (transaction) dispute.balance_transactions.push(transaction);
}

function emptyEvidence(): Stripe.Dispute.Evidence {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  };
}
