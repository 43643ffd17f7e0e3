import type { Stripe } from 'stripe';
import type { Room, World } from './world.ts';

const DAY = 86_400;

interface Movement {
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
export function bookMovement(world: World, room: Room, movement: Movement): string {
  const fees = movement.fees ?? [];
  const fee = fees.reduce((sum, each) => sum + each.amount, 0);
  const now = world.clock.seconds();
  const availableInDays = movement.availableInDays ?? 0;
  const transaction: Stripe.BalanceTransaction = {
    id: world.newId('transaction'),
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
  return room.transactions.add(transaction).id;
}

export function bookCharge(world: World, room: Room, charge: Stripe.Charge): string {
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
  return bookMovement(world, room, {
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

export function balanceOf(world: World, room: Room): Stripe.Balance {
  const now = world.clock.seconds();
  const available = new Map<string, number>();
  const pending = new Map<string, number>();
  for (const transaction of room.transactions.all()) {
    const pile = transaction.available_on <= now ? available : pending;
    pile.set(transaction.currency, (pile.get(transaction.currency) ?? 0) + transaction.net);
  }
  const record = room.account === null ? undefined : world.accounts.get(room.account);
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
export function asOfNow(
  world: World,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction {
  const status = transaction.available_on <= world.clock.seconds() ? 'available' : 'pending';
  return { ...transaction, status };
}
