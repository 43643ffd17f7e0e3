/** A charge that still wants money, and money that has nothing to pay yet; each list in the order they are served. */
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

/** The oldest money pays the oldest due, to the penny, until one side has run out. */
export function allocate(
  money: readonly UnallocatedPayment[],
  charges: readonly OutstandingCharge[],
): Allocation[] {
  const allocated: Allocation[] = [];
  const left = new Map(charges.map((charge) => [charge.id, charge.outstanding]));
  for (const payment of money) {
    let free = payment.unallocated;
    for (const charge of charges) {
      if (free === 0) break;
      const amount = Math.min(free, left.get(charge.id) ?? 0);
      if (amount === 0) continue;
      allocated.push({ paymentId: payment.id, chargeId: charge.id, amount });
      left.set(charge.id, (left.get(charge.id) ?? 0) - amount);
      free -= amount;
    }
  }
  return allocated;
}

/** The charges that a payment names come first, in the order they are due; then all the others. */
export function prioritizeCharges<T extends { id: number }>(
  charges: readonly T[],
  named: readonly number[],
): T[] {
  const wanted = new Set(named);
  return [
    ...charges.filter((charge) => wanted.has(charge.id)),
    ...charges.filter((charge) => !wanted.has(charge.id)),
  ];
}

/**
 * Takes an amount out of allocations, the latest first, and says by how much each is lessened. The caller has made sure
 * that there is as much.
 */
export function release(allocations: readonly Allocation[], amount: number): Allocation[] {
  const released: Allocation[] = [];
  let wanted = amount;
  for (const allocation of allocations.toReversed()) {
    if (wanted === 0) break;
    const part = Math.min(wanted, allocation.amount);
    released.push({ ...allocation, amount: -part });
    wanted -= part;
  }
  return released;
}
