import type { Stripe } from 'stripe';
import type { AccountStore, StripeState } from './state.ts';

const DAY = 86_400;

interface BalanceChange {
  type: Stripe.BalanceTransaction['type'];
  category: string;
  source: string;
  amount: number;
  currency: string;
  fees?: Stripe.BalanceTransaction.FeeDetail[];
  description: string | null;
  /** Days until incoming money is available; outgoing money is deducted immediately. */
  availableInDays?: number;
}

/** Every movement of money creates a transaction, so the balance is the sum of the transactions. */
export function recordTransaction(
  state: StripeState,
  store: AccountStore,
  change: BalanceChange,
): string {
  const fees = change.fees ?? [];
  const fee = fees.reduce((sum, each) => sum + each.amount, 0);
  const now = state.clock.seconds();
  const availableInDays = change.availableInDays ?? 0;
  const transaction: Stripe.BalanceTransaction = {
    id: state.newId('transaction'),
    object: 'balance_transaction',
    amount: change.amount,
    available_on: now + availableInDays * DAY,
    balance_type: 'payments',
    created: now,
    currency: change.currency,
    description: change.description,
    exchange_rate: null,
    fee,
    fee_details: fees,
    net: change.amount - fee,
    reporting_category: change.category,
    source: change.source,
    status: availableInDays === 0 ? 'available' : 'pending',
    type: change.type,
  };
  return store.transactions.add(transaction).id;
}

export function recordCharge(
  state: StripeState,
  store: AccountStore,
  charge: Stripe.Charge,
): string {
  const isCardPayment = charge.payment_method_details?.type === 'card';
  const fees: Stripe.BalanceTransaction.FeeDetail[] = [
    {
      // Stripe's standard fee in the United Kingdom.
      amount: Math.round(charge.amount * 0.015) + 20,
      application: null,
      currency: charge.currency,
      description: 'Stripe processing fees',
      type: 'stripe_fee',
    },
  ];
  if (charge.application_fee_amount !== null) {
    fees.push({
      amount: charge.application_fee_amount,
      application: 'ca_Lessonbook0000000000000000000',
      currency: charge.currency,
      description: 'Lessonbook application fee',
      type: 'application_fee',
    });
  }
  return recordTransaction(state, store, {
    type: isCardPayment ? 'charge' : 'payment',
    category: 'charge',
    source: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    fees,
    description: charge.description,
    availableInDays: 3,
  });
}

export function computeBalance(state: StripeState, store: AccountStore): Stripe.Balance {
  const now = state.clock.seconds();
  const available = new Map<string, number>();
  const pending = new Map<string, number>();
  for (const transaction of store.transactions.all()) {
    const totals = transaction.available_on <= now ? available : pending;
    totals.set(transaction.currency, (totals.get(transaction.currency) ?? 0) + transaction.net);
  }
  const record = store.account === null ? undefined : state.accounts.get(store.account);
  const defaultCurrency = record?.currency ?? 'gbp';
  const currencies = [...new Set([defaultCurrency, ...available.keys(), ...pending.keys()])];
  const toAmounts = (totals: Map<string, number>) =>
    currencies.map((currency) => ({
      amount: totals.get(currency) ?? 0,
      currency,
      source_types: { card: totals.get(currency) ?? 0 },
    }));
  return {
    object: 'balance',
    available: toAmounts(available),
    livemode: false,
    pending: toAmounts(pending),
  };
}

/** Updates the status, because a pending transaction may now be available. */
export function withCurrentStatus(
  state: StripeState,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  const status = transaction.available_on <= state.clock.seconds() ? 'available' : 'pending';
  return { ...transaction, status };
}
