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

/** Allocates payments to charges in the given order until one side is used up. */
export function allocate(
  payments: readonly UnallocatedPayment[],
  charges: readonly OutstandingCharge[],
): Allocation[] {
  const allocated: Allocation[] = [];
  const outstanding = new Map(charges.map((charge) => [charge.id, charge.outstanding]));
  for (const payment of payments) {
    let available = payment.unallocated;
    for (const charge of charges) {
      if (available === 0) break;
      const amount = Math.min(available, outstanding.get(charge.id) ?? 0);
      if (amount === 0) continue;
      allocated.push({ paymentId: payment.id, chargeId: charge.id, amount });
      outstanding.set(charge.id, (outstanding.get(charge.id) ?? 0) - amount);
      available -= amount;
    }
  }
  return allocated;
}

/** Puts the preferred charges first. The order within both groups is kept. */
export function prioritizeCharges<T extends { id: number }>(
  charges: readonly T[],
  preferredIds: readonly number[],
): T[] {
  const preferred = new Set(preferredIds);
  return [
    ...charges.filter((charge) => preferred.has(charge.id)),
    ...charges.filter((charge) => !preferred.has(charge.id)),
  ];
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
