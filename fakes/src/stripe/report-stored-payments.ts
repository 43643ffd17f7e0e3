import type { Stripe } from 'stripe';
import { idOf } from './id-formats.ts';
import type { AccountStore, StripeState } from './state.ts';

export interface PaymentReport {
  sessionId: string;
  paymentIntentId: string | null;
  chargeId: string | null;
  clientReferenceId: string | null;
  /** The session's metadata. */
  metadata: Record<string, string>;
  paymentMetadata: Record<string, string>;
  amount: number;
  amountRefunded: number;
  currency: string;
  state: 'open' | 'expired' | 'processing' | 'paid' | 'failed';
}

export interface RefundReport {
  id: string;
  chargeId: string;
  paymentIntentId: string | null;
  amount: number;
  currency: string;
  status: string;
  metadata: Record<string, string>;
}

export interface DisputeReport {
  id: string;
  chargeId: string;
  amount: number;
  currency: string;
  status: string;
}

export interface AccountReport {
  /** Null for the platform. */
  account: string | null;
  payments: PaymentReport[];
  refunds: RefundReport[];
  disputes: DisputeReport[];
  /** Payments less refunds and disputes. */
  netByCurrency: Record<string, number>;
}

/** Everything that Stripe has recorded, for tests to compare with the product's ledger. */
export function reportAccounts(state: StripeState, account?: string): AccountReport[] {
  return state
    .allStores()
    .filter((store) => account === undefined || store.account === account)
    .map((store) => reportAccount(state, store));
}

function reportAccount(state: StripeState, store: AccountStore): AccountReport {
  const payments = store.sessions.all().map((session) => reportPayment(state, store, session));
  const refunds = store.refunds.all().map((refund) => ({
    id: refund.id,
    chargeId: idOf(refund.charge),
    paymentIntentId: idOf(refund.payment_intent) || null,
    amount: refund.amount,
    currency: refund.currency,
    status: refund.status ?? '',
    metadata: { ...refund.metadata },
  }));
  const disputes = store.disputes.all().map((dispute) => ({
    id: dispute.id,
    chargeId: idOf(dispute.charge),
    amount: dispute.amount,
    currency: dispute.currency,
    status: dispute.status,
  }));
  const netByCurrency: Record<string, number> = {};
  const add = (currency: string, amount: number) => {
    netByCurrency[currency] = (netByCurrency[currency] ?? 0) + amount;
  };
  for (const each of payments) if (each.state === 'paid') add(each.currency, each.amount);
  for (const each of refunds) if (each.status !== 'failed') add(each.currency, -each.amount);
  for (const each of disputes) if (each.status !== 'won') add(each.currency, -each.amount);
  return { account: store.account, payments, refunds, disputes, netByCurrency };
}

function reportPayment(
  state: StripeState,
  store: AccountStore,
  session: Stripe.Checkout.Session,
): PaymentReport {
  const intent = store.intents.get(idOf(session.payment_intent));
  const charge = store.charges.get(idOf(intent?.latest_charge));
  return {
    sessionId: session.id,
    paymentIntentId: intent?.id ?? null,
    chargeId: charge?.id ?? null,
    clientReferenceId: session.client_reference_id,
    metadata: { ...session.metadata },
    paymentMetadata: { ...state.findCheckout(session.id).intentMetadata },
    amount: session.amount_total ?? 0,
    amountRefunded: charge?.amount_refunded ?? 0,
    currency: session.currency ?? '',
    state: getPaymentState(session, charge),
  };
}

function getPaymentState(
  session: Stripe.Checkout.Session,
  charge: Stripe.Charge | undefined,
): PaymentReport['state'] {
  if (session.status !== 'complete') return session.status === 'expired' ? 'expired' : 'open';
  if (session.payment_status === 'paid') return 'paid';
  return charge?.status === 'failed' ? 'failed' : 'processing';
}
