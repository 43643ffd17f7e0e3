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
  /** Money that comes in can be paid out only days later; money that goes out is gone at once. */
  availableInDays?: number;
}

/** Every penny that moves leaves one of these, so the balance is their sum and nothing else. */
export function recordTransaction(
  state: StripeState,
  store: AccountStore,
  movement: BalanceChange,
): string {
  const fees = movement.fees ?? [];
  const fee = fees.reduce((sum, each) => sum + each.amount, 0);
  const now = state.clock.seconds();
  const availableInDays = movement.availableInDays ?? 0;
  const transaction: Stripe.BalanceTransaction = {
    id: state.newId('transaction'),
    object: 'balance_transaction',
    amount: movement.amount,
    available_on: now + availableInDays * DAY,
    balance_type: 'payments',
    created: now,
    currency: movement.currency,
    description: movement.description,
    exchange_rate: null,
    fee,
    fee_details: fees,
    net: movement.amount - fee,
    reporting_category: movement.category,
    source: movement.source,
    status: availableInDays === 0 ? 'available' : 'pending',
    type: movement.type,
  };
  return store.transactions.add(transaction).id;
}

export function recordCharge(
  state: StripeState,
  store: AccountStore,
  charge: Stripe.Charge,
): string {
  const byCard = charge.payment_method_details?.type === 'card';
  const fees: Stripe.BalanceTransaction.FeeDetail[] = [
    {
      // Stripe's usual price in the United Kingdom.
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
    type: byCard ? 'charge' : 'payment',
    category: 'charge',
    source: charge.id,
    amount: charge.amount,
    currency: charge.currency,
    fees,
    description: charge.description,
    availableInDays: 3,
  });
}

export function balanceOf(state: StripeState, store: AccountStore): Stripe.Balance {
  const now = state.clock.seconds();
  const available = new Map<string, number>();
  const pending = new Map<string, number>();
  for (const transaction of store.transactions.all()) {
    const pile = transaction.available_on <= now ? available : pending;
    pile.set(transaction.currency, (pile.get(transaction.currency) ?? 0) + transaction.net);
  }
  const record = store.account === null ? undefined : state.accounts.get(store.account);
  const usual = record?.currency ?? 'gbp';
  const currencies = [...new Set([usual, ...available.keys(), ...pending.keys()])];
  const side = (pile: Map<string, number>) =>
    currencies.map((currency) => ({
      amount: pile.get(currency) ?? 0,
      currency,
      source_types: { card: pile.get(currency) ?? 0 },
    }));
  return {
    object: 'balance',
    available: side(available),
    livemode: false,
    pending: side(pending),
  };
}

/** As shown now: what was pending may have become available since. */
export function withCurrentStatus(
  state: StripeState,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  const status = transaction.available_on <= state.clock.seconds() ? 'available' : 'pending';
  return { ...transaction, status };
}
