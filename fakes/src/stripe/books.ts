import type { Stripe } from 'stripe';
import { idOf } from './ids.ts';
import type { Room, World } from './world.ts';

export interface BookedPayment {
  sessionId: string;
  paymentIntentId: string | null;
  chargeId: string | null;
  clientReferenceId: string | null;
  /** Of the session. */
  metadata: Record<string, string>;
  paymentMetadata: Record<string, string>;
  amount: number;
  amountRefunded: number;
  currency: string;
  state: 'open' | 'expired' | 'processing' | 'paid' | 'failed';
}

export interface BookedRefund {
  id: string;
  chargeId: string;
  paymentIntentId: string | null;
  amount: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
}

export interface BookedDispute {
  id: string;
  chargeId: string;
  amount: number;
  currency: string;
  status: string;
}

export interface AccountBooks {
  /** Null is the platform itself. */
  account: string | null;
  payments: BookedPayment[];
  refunds: BookedRefund[];
  disputes: BookedDispute[];
  /** By currency: what was paid, less what went back and what disputes hold. */
  kept: Record<string, number>;
}

/** What Stripe would say happened, for a test to hold the product's own ledger against. */
export function readBooks(world: World, account?: string): AccountBooks[] {
  return world
    .allRooms()
    .filter((room) => account === undefined || room.account === account)
    .map((room) => booksOf(world, room));
}

function booksOf(world: World, room: Room): AccountBooks {
  const payments = room.sessions.all().map((session) => payment(world, room, session));
  const refunds = room.refunds.all().map((refund) => ({
    id: refund.id,
    chargeId: idOf(refund.charge),
    paymentIntentId: idOf(refund.payment_intent) || null,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status ?? '',
    metadata: { ...refund.metadata },
  }));
  const disputes = room.disputes.all().map((dispute) => ({
    id: dispute.id,
    chargeId: idOf(dispute.charge),
    amount: dispute.amount,
    currency: dispute.currency,
    status: dispute.status,
  }));
  const kept: Record<string, number> = {};
  const add = (currency: string, amount: number) => {
    kept[currency] = (kept[currency] ?? 0) + amount;
  };
  for (const each of payments) if (each.state === 'paid') add(each.currency, each.amount);
  for (const each of refunds) if (each.status !== 'failed') add(each.currency, -each.amount);
  for (const each of disputes) if (each.status !== 'won') add(each.currency, -each.amount);
  return { account: room.account, payments, refunds, disputes, kept };
}

function payment(world: World, room: Room, session: Stripe.Checkout.Session): BookedPayment {
  const intent = room.intents.get(idOf(session.payment_intent));
  const charge = room.charges.get(idOf(intent?.latest_charge));
  return {
    sessionId: session.id,
    paymentIntentId: intent?.id ?? null,
    chargeId: charge?.id ?? null,
    clientReferenceId: session.client_reference_id,
    metadata: { ...session.metadata },
    paymentMetadata: { ...world.plan(session.id).intentMetadata },
    amount: session.amount_total ?? 0,
    amountRefunded: charge?.amount_refunded ?? 0,
    currency: session.currency ?? '',
    state: stateOf(session, charge),
  };
}

function stateOf(
  session: Stripe.Checkout.Session,
  charge: Stripe.Charge | undefined,
): BookedPayment['state'] {
  if (session.status !== 'complete') return session.status === 'expired' ? 'expired' : 'open';
  if (session.payment_status === 'paid') return 'paid';
  return charge?.status === 'failed' ? 'failed' : 'processing';
}
