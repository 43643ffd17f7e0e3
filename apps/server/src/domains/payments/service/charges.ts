import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { type SeatRef, seatKey } from '../../lessons/events.ts';
import { amountOwedReduced } from '../events.ts';
import { allocationsForCharges } from '../queries/allocations.ts';
import {
  type Charge,
  chargesForSeats,
  findSeatFees,
  insertChargeReversals,
  insertCharges,
  type NewCharge,
  setInvoiceIds,
  travelChargesForSessions,
  updateReductions,
} from '../queries/charges.ts';
import { payersOfStudents } from '../queries/payers.ts';
import { recomputeCharges } from '../queries/recompute-derived-amounts.ts';
import { releaseAmount } from '../rules/allocate.ts';
import { missingShares, payersDateOf, sharesForSession } from '../rules/payer-shares.ts';
import { splitTravelFee } from '../rules/split-travel-fee.ts';
import { allocatePayments, writeAllocations } from './allocate-payments.ts';

export { type Charge, chargesForSeats, findCharges } from '../queries/charges.ts';
export { dueDate } from '../queries/due-date.ts';
export {
  type HoldReason,
  heldAmount,
  holdReason,
  resolveReversals,
  undecidedCharges,
} from '../queries/returned-payments-and-charges-on-hold.ts';
export { formatEntryLabel } from '../rules/entry-label.ts';
export { missingShares } from '../rules/payer-shares.ts';

/** Value of created_by for entries that result from a tutor's action. */
export const CREATED_BY_TUTOR = 'tutor';

export type PlannedCharge = Omit<NewCharge, 'id'>;

/** Plans a charge for each payer of the seats that have a fee, except for payers who have been charged already. */
export async function planCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  seats: readonly (SeatRef & { fee?: number })[],
  kind: 'lesson' | 'cancellation',
): Promise<PlannedCharge[]> {
  const now = context.clock.now();
  const fees = new Map(seats.map((seat) => [seatKey(seat), seat.fee]));
  return (await seatsWithPayers(tx, tutorId, seats)).flatMap((seat) => {
    const amount = fees.get(seatKey(seat)) ?? seat.fee;
    if (amount === null) return [];
    return missingShares(amount, seat, seat.payers).map((share) => ({
      familyId: share.familyId,
      studentId: seat.studentId,
      sessionId: seat.sessionId,
      kind,
      description: null,
      amount: share.amount,
      currency: seat.currency,
      dueDate: seat.date,
      payersDate: payersDateOf(seat),
      invoiceId: null,
      createdBy: CREATED_BY_TUTOR,
      now,
    }));
  });
}

/** Plans the travel fees of completed sessions: once for siblings, and none for payers who have been charged already. */
export async function planTravelCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  refs: readonly SeatRef[],
): Promise<PlannedCharge[]> {
  if (refs.length === 0) return [];
  const seats = await seatsWithPayers(tx, tutorId, refs);
  const sessionIds = [...new Set(seats.map(({ sessionId }) => sessionId))];
  const charged = await travelChargesForSessions(tx, tutorId, sessionIds);
  return splitTravelFee(seats, charged).map(({ seat, familyId, amount }) => ({
    familyId,
    studentId: seat.studentId,
    sessionId: seat.sessionId,
    kind: 'travel',
    description: null,
    amount,
    currency: seat.currency,
    dueDate: seat.date,
    payersDate: payersDateOf(seat),
    invoiceId: null,
    createdBy: CREATED_BY_TUTOR,
    now: context.clock.now(),
  }));
}

/** Each payer's share of the fees of the seats, by seat and family. */
export async function getShares(
  tx: Tx,
  tutorId: string,
  seats: readonly (SeatRef & { fee: number })[],
): Promise<Map<string, Map<number, number>>> {
  const fees = new Map(seats.map((seat) => [seatKey(seat), seat.fee]));
  return new Map(
    (await seatsWithPayers(tx, tutorId, seats)).map((seat) => {
      const shares = sharesForSession(fees.get(seatKey(seat)) ?? 0, seat, seat.payers);
      return [seatKey(seat), new Map(shares.map((share) => [share.familyId, share.amount]))];
    }),
  );
}

async function seatsWithPayers(tx: Tx, tutorId: string, refs: readonly SeatRef[]) {
  const charges = Map.groupBy(await chargesForSeats(tx, tutorId, refs), seatKey);
  const seats = await findSeatFees(tx, tutorId, refs);
  const studentIds = [...new Set(seats.map(({ studentId }) => studentId))];
  const payers = Map.groupBy(
    await payersOfStudents(tx, tutorId, studentIds),
    ({ studentId }) => studentId,
  );
  return seats.map((seat) => ({
    ...seat,
    charges: charges.get(seatKey(seat)) ?? [],
    payers: payers.get(seat.studentId) ?? [],
  }));
}

/** Adds all charges before allocating credit, so that credit pays the oldest first. Returns the ids in order. */
export async function addCharges(
  tx: Tx,
  tutorId: string,
  planned: readonly PlannedCharge[],
  now: Date,
): Promise<number[]> {
  if (planned.length === 0) return [];
  const ids = await nextIdsForKind(tx, tutorId, 'charge', planned.length);
  await insertCharges(
    tx,
    tutorId,
    planned.map((charge, index) => ({ ...charge, id: ids[index] as number })),
  );
  await allocatePayments(tx, tutorId, planned, now);
  return ids;
}

/** The part of a charge that has not been credited. It may have been paid or written off. */
export const remainingAmount = ({ amount, credited }: Charge): number => amount - credited;

/**
 * Reverses all or part of each charge. What is no longer owed is no longer written off either. Payments allocated to the
 * reversed parts are released, latest first, and then used to pay other open charges. Uses a fixed number of SQL
 * statements, however many charges there are.
 */
export async function reverseCharges(
  context: Context,
  tx: Tx,
  tutorId: string,
  requests: readonly { charge: Charge; amount: number }[],
  entry: { kind: 'reversal' } | { kind: 'credit_note'; invoiceId: number | null },
): Promise<void> {
  if (requests.length === 0) return;
  const { kind } = entry;
  const now = context.clock.now();
  const today = dateInZone(await getTimeZone(tx, tutorId), now);
  const ids = await nextIdsForKind(tx, tutorId, 'charge', requests.length);
  const reversals = requests.map(({ charge, amount }, index) => {
    const credited = charge.credited + (kind === 'credit_note' ? amount : 0);
    const writtenOff = Math.max(0, charge.writtenOff - amount);
    return {
      id: ids[index] as number,
      charge,
      chargeId: charge.id,
      amount,
      credited,
      writtenOff,
      reversed: kind === 'reversal' || credited === charge.amount,
      // A reversal has the same date as its charge; a credit note has the current date.
      date: kind === 'reversal' ? charge.dueDate : today,
    };
  });
  const invoiceId = entry.kind === 'credit_note' ? entry.invoiceId : null;
  const created = { kind, invoiceId, createdBy: CREATED_BY_TUTOR, now };
  await insertChargeReversals(tx, tutorId, reversals, created);
  await insertWriteOffs(
    context,
    tx,
    tutorId,
    reversals.map(({ charge, writtenOff }) => ({
      charge,
      amount: writtenOff - charge.writtenOff,
    })),
    null,
  );
  await updateReductions(tx, tutorId, reversals);
  const chargeIds = reversals.map(({ chargeId }) => chargeId);
  const allocations = Map.groupBy(
    await allocationsForCharges(tx, tutorId, chargeIds),
    ({ chargeId }) => chargeId,
  );
  const releases = reversals.flatMap(({ charge, credited, writtenOff, reversed }) => {
    const chargeAllocations = allocations.get(charge.id) ?? [];
    const remaining = reversed ? 0 : charge.amount - credited - writtenOff;
    const excess =
      chargeAllocations.reduce((sum, allocation) => sum + allocation.amount, 0) - remaining;
    return releaseAmount(chargeAllocations, Math.max(0, excess));
  });
  await writeAllocations(tx, tutorId, releases, now);
  await recomputeCharges(tx, tutorId, chargeIds);
  await allocatePayments(
    tx,
    tutorId,
    reversals.map(({ charge }) => charge),
    now,
  );
  const familyIds = [...new Set(reversals.map(({ charge }) => charge.familyId))];
  await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds });
}

/** Adds entries that write off an amount or, if it is negative, reverse a write-off. Amounts of zero add none. */
async function insertWriteOffs(
  { clock }: Context,
  tx: Tx,
  tutorId: string,
  requests: readonly { charge: Charge; amount: number }[],
  reason: string | null,
): Promise<void> {
  const changes = requests.filter(({ amount }) => amount !== 0);
  if (changes.length === 0) return;
  const now = clock.now();
  const date = dateInZone(await getTimeZone(tx, tutorId), now);
  const ids = await nextIdsForKind(tx, tutorId, 'charge', changes.length);
  await insertChargeReversals(
    tx,
    tutorId,
    changes.map((change, index) => ({ ...change, id: ids[index] as number, date })),
    { kind: 'write_off', description: reason, invoiceId: null, createdBy: CREATED_BY_TUTOR, now },
  );
}

/**
 * Writes off amounts of charges or, if they are negative, reverses write-offs. The charges remain,
 * with any payments allocated to them; what is owed again is paid from the account's credit.
 */
export async function changeWriteOffs(
  context: Context,
  tx: Tx,
  tutorId: string,
  requests: readonly { charge: Charge; amount: number }[],
  reason: string | null,
): Promise<void> {
  await insertWriteOffs(context, tx, tutorId, requests, reason);
  const charges = requests.map(({ charge }) => charge);
  await updateReductions(
    tx,
    tutorId,
    requests.map(({ charge, amount }) => ({
      ...charge,
      chargeId: charge.id,
      writtenOff: charge.writtenOff + amount,
    })),
  );
  await recomputeCharges(
    tx,
    tutorId,
    charges.map(({ id }) => id),
  );
  await allocatePayments(tx, tutorId, charges, context.clock.now());
  const familyIds = [...new Set(charges.map(({ familyId }) => familyId))];
  await context.events.publish(tx, amountOwedReduced, { tutorId, familyIds });
}

/** Called when an invoice is issued or voided. */
export const setChargesInvoice = setInvoiceIds;
