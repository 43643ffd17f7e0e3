import type { Stripe } from 'stripe';
import { bookMovement } from './balance.ts';
import { tell } from './events.ts';
import { idOf } from './ids.ts';
import type { Room, World } from './world.ts';

export interface DisputeAsk {
  amount?: number;
  reason?: string;
}

const FEE = 2_000;

/** The payer's bank takes the money back, at once and with a fee, and asks afterwards. */
export function openDispute(
  world: World,
  room: Room,
  charge: Stripe.Charge,
  ask: DisputeAsk = {},
): Stripe.Dispute {
  if (charge.status !== 'succeeded') throw new Error(`${charge.id} was not paid`);
  if (charge.disputed) throw new Error(`${charge.id} is disputed already`);
  charge.disputed = true;
  const dispute: Stripe.Dispute = {
    id: world.newId('dispute'),
    object: 'dispute',
    amount: ask.amount ?? charge.amount - charge.amount_refunded,
    balance_transactions: [],
    charge: charge.id,
    created: world.clock.seconds(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence(),
    evidence_details: {
      due_by: world.clock.seconds() + 7 * 86_400,
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
    reason: ask.reason ?? 'fraudulent',
    status: 'needs_response',
  };
  room.disputes.add(dispute);
  tell(world, room, 'charge.dispute.created', dispute);
  moveMoney(world, room, dispute, -dispute.amount, FEE);
  tell(world, room, 'charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The tutor has answered; now the bank thinks. */
export function sendEvidence(world: World, room: Room, dispute: Stripe.Dispute): void {
  const previous = { status: dispute.status };
  dispute.status = 'under_review';
  dispute.evidence_details.has_evidence = true;
  dispute.evidence_details.submission_count += 1;
  dispute.evidence_details.submission_method = 'manual';
  tell(world, room, 'charge.dispute.updated', dispute, previous);
}

export function closeDispute(
  world: World,
  room: Room,
  dispute: Stripe.Dispute,
  result: 'won' | 'lost',
): void {
  if (dispute.status === 'won' || dispute.status === 'lost') {
    throw new Error(`${dispute.id} is closed already`);
  }
  const previous = { status: dispute.status };
  dispute.status = result;
  if (result === 'won') {
    moveMoney(world, room, dispute, dispute.amount, 0);
    tell(world, room, 'charge.dispute.funds_reinstated', dispute);
  }
  tell(world, room, 'charge.dispute.closed', dispute, previous);
}

function moveMoney(
  world: World,
  room: Room,
  dispute: Stripe.Dispute,
  amount: number,
  fee: number,
): void {
  const { currency } = dispute;
  const description = 'Dispute fee';
  const id = bookMovement(world, room, {
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
  const transaction = room.transactions.get(id);
  if (transaction) dispute.balance_transactions.push(transaction);
}

function noEvidence(): Stripe.Dispute.Evidence {
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
