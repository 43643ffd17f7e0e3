export interface OutstandingCharge {
  id: number;
  outstanding: number;
}
export interface UnallocatedPayment {
  id: number;
  unallocated: number;
}
export interface Allocation {
  paymentId: number;
  chargeId: number;
  amount: number;
}

/** Allocates payments to charges, or parts of them, in the given order until the payments or the charges are used up. */
export function allocate(
  payments: readonly UnallocatedPayment[],
  charges: readonly OutstandingCharge[],
): Allocation[] {
  const allocated: Allocation[] = [];
  const outstanding = charges.map((charge) => charge.outstanding);
  for (const payment of payments) {
    let available = payment.unallocated;
    for (const [index, charge] of charges.entries()) {
      if (available === 0) break;
      const amount = Math.min(available, outstanding[index] ?? 0);
      if (amount === 0) continue;
      allocated.push({ paymentId: payment.id, chargeId: charge.id, amount });
      outstanding[index] = (outstanding[index] ?? 0) - amount;
      available -= amount;
    }
  }
  return allocated;
}

/**
 * The order in which charges are paid: the preferred ones, then what the payer is asked to pay, then what future instalments
 * will cover, then queried charges. A charge can appear in two parts.
 */
export function prioritizeCharges<
  T extends OutstandingCharge & { heldByPlan: number; isQueried: boolean },
>(charges: readonly T[], preferredIds: readonly number[]): T[] {
  const preferred = new Set(preferredIds);
  const [chosen = [], others = []] = [true, false].map((isChosen) =>
    charges.filter(({ id }) => preferred.has(id) === isChosen),
  );
  return [
    ...inParts(chosen),
    ...inParts(others.filter(({ isQueried }) => !isQueried)),
    ...others.filter(({ isQueried }) => isQueried),
  ];
}

function inParts<T extends OutstandingCharge & { heldByPlan: number }>(charges: readonly T[]): T[] {
  const asked = charges.map((charge) => ({
    ...charge,
    outstanding: charge.outstanding - charge.heldByPlan,
  }));
  const held = charges.map((charge) => ({ ...charge, outstanding: charge.heldByPlan }));
  return [...asked, ...held].filter(({ outstanding }) => outstanding > 0);
}

/** Releases an amount from the allocations, latest first. They must add up to at least that amount. */
export function releaseAmount(allocations: readonly Allocation[], amount: number): Allocation[] {
  const released: Allocation[] = [];
  let remaining = amount;
  for (const allocation of allocations.toReversed()) {
    if (remaining === 0) break;
    const part = Math.min(remaining, allocation.amount);
    released.push({ ...allocation, amount: -part });
    remaining -= part;
  }
  return released;
}
