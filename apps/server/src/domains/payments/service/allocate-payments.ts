import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type AllocationEntry, insertAllocations } from '../queries/allocations.ts';
import { openCharges } from '../queries/charges.ts';
import { paymentsWithCredit } from '../queries/payments.ts';
import { recomputeCharges, recomputePayments } from '../queries/recompute-derived-amounts.ts';
import { allocate, prioritizeCharges } from '../rules/allocate.ts';

/** Payments are only allocated to charges for the same family in the same currency. */
export interface Account {
  familyId: number;
  currency: string;
}

/** Inserts allocations and recomputes the derived columns of their charges and payments. */
export async function writeAllocations(
  tx: Tx,
  tutorId: string,
  entries: readonly AllocationEntry[],
  now: Date,
): Promise<void> {
  if (entries.length === 0) return;
  const ids = await nextIdsForKind(tx, tutorId, 'allocation', entries.length);
  await insertAllocations(tx, tutorId, ids, entries, now);
  await recomputeCharges(tx, tutorId, [...new Set(entries.map((entry) => entry.chargeId))]);
  await recomputePayments(tx, tutorId, [...new Set(entries.map((entry) => entry.paymentId))]);
}

const accountKey = ({ familyId, currency }: Account): string => `${familyId} ${currency}`;

/**
 * Uses unallocated payments to pay open charges. Runs at the end of every change to accounts, so that a family never has
 * both credit and debt in one currency. Uses a fixed number of SQL statements, however many accounts there are. The caller
 * holds the tutor's lock.
 */
export async function allocatePayments(
  tx: Tx,
  tutorId: string,
  accounts: readonly Account[],
  now: Date,
  preferredChargeIds: readonly number[] = [],
): Promise<void> {
  const keys = new Set(accounts.map(accountKey));
  const withCredit = await paymentsWithCredit(tx, tutorId, distinctFamilyIds(accounts));
  const payments = withCredit.filter((payment) => keys.has(accountKey(payment)));
  if (payments.length === 0) return;
  const open = await openCharges(tx, tutorId, distinctFamilyIds(payments));
  const chargesByAccount = Map.groupBy(prioritizeCharges(open, preferredChargeIds), accountKey);
  const entries = [...Map.groupBy(payments, accountKey)].flatMap(([key, accountPayments]) =>
    allocate(accountPayments, chargesByAccount.get(key) ?? []),
  );
  await writeAllocations(tx, tutorId, entries, now);
}

const distinctFamilyIds = (accounts: readonly Account[]): number[] => [
  ...new Set(accounts.map(({ familyId }) => familyId)),
];
