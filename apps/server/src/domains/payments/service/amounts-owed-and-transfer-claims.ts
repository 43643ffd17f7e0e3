import type { InstalmentPlan } from '@lessonbook/contract/instalments';
import type { Currency } from '@lessonbook/contract/money';
import type { Balance } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { transferClaimed, transferClaimWithdrawn } from '../events.ts';
import { type ChargeView, openFamilyCharges } from '../queries/charge-views.ts';
import { familiesByIds, familyById, updateFamily } from '../queries/family-accounts.ts';
import { familyBalances } from '../queries/family-balances.ts';
import { owedAmounts } from '../queries/family-list.ts';
import { paidBetween } from '../queries/ledger.ts';
import { type CoveredCharge, coveredCharges, latestPayment } from '../queries/payment-views.ts';
import type { HoldReason } from '../queries/returned-payments-and-charges-on-hold.ts';
import { toBalance } from '../rules/balances-and-suggested-currency.ts';
import { familyNotFound } from './assert-family-or-payment-exists.ts';
import { plansForFamilies, toInstalmentPlan } from './instalment-plans.ts';

/** Who pays for an account, and how to reach them. */
export interface Payer {
  name: string;
  /** The student, if they pay for themselves. */
  studentId: number | null;
  /** Null means the tutor's time zone. */
  timeZone: string | null;
  email: string | null;
  phone: string | null;
  /** See `linkKeyOf`. */
  linkKey: string;
  reference: string;
  transferClaimedAt: Date | null;
}

export interface AccountStatement extends Payer {
  balances: Balance[];
  charges: ChargeView[];
  /** Amounts that the payer is not asked to pay, by currency and reason; not part of `balances` and `charges`. */
  onHold: { currency: Currency; amount: number; reason: HoldReason }[];
  plans: InstalmentPlan[];
}

/** What an account's payer is asked to pay, and the account's credit. */
export async function getAccountStatement(
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<AccountStatement> {
  const statement = (await getAccountStatements(tx, tutorId, [familyId])).get(familyId);
  if (!statement) throw familyNotFound();
  return statement;
}

/** The payers by family id, without reading the charges, of which there may be thousands. */
export async function getPayers(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, Payer>> {
  const families = await familiesByIds(tx, tutorId, familyIds).execute();
  return new Map(families.map((family) => [family.id, family]));
}

/** The amounts that the payer of each account is asked to pay, by family id. */
export async function getOwedAmounts(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, { currency: Currency; owed: number }[]>> {
  const rows = await owedAmounts(tx, tutorId, familyIds).execute();
  return Map.groupBy(rows, ({ familyId }) => familyId);
}

/** The statements by family id. */
export async function getAccountStatements(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, AccountStatement>> {
  const [families, balances, charges, plans] = await executeBatch(tx, [
    familiesByIds(tx, tutorId, familyIds),
    familyBalances(tx, tutorId, familyIds),
    openFamilyCharges(tx, tutorId, familyIds),
    plansForFamilies(tx, tutorId, familyIds),
  ]);
  const balancesById = Map.groupBy(balances, ({ familyId }) => familyId);
  const chargesById = Map.groupBy(charges, ({ familyId }) => familyId);
  return new Map(
    families.map((family) => [
      family.id,
      {
        ...family,
        ...withoutHeldAmounts(
          (balancesById.get(family.id) ?? []).map(toBalance),
          chargesById.get(family.id) ?? [],
        ),
        plans: plans.flatMap((plan) =>
          plan.familyId === family.id ? (toInstalmentPlan(plan) ?? []) : [],
        ),
      },
    ]),
  );
}

function withoutHeldAmounts(
  balances: Balance[],
  charges: readonly ChargeView[],
): Pick<AccountStatement, 'balances' | 'charges' | 'onHold'> {
  const held = Map.groupBy(
    charges.filter((charge) => charge.onHold > 0),
    (charge) => `${charge.currency} ${charge.holdReason}`,
  );
  const onHold = [...held.values()].flatMap((heldCharges) => {
    const [first] = heldCharges;
    if (!first?.holdReason) return [];
    return [
      {
        currency: first.currency as Currency,
        amount: heldCharges.reduce((sum, charge) => sum + charge.onHold, 0),
        reason: first.holdReason,
      },
    ];
  });
  return {
    balances: balances.map((balance) => {
      const amount = onHold
        .filter(({ currency }) => currency === balance.currency)
        .reduce((sum, each) => sum + each.amount, 0);
      return { ...balance, owed: balance.owed - amount };
    }),
    charges: charges
      .map((charge) => ({ ...charge, outstanding: charge.outstanding - charge.onHold }))
      .filter((charge) => charge.outstanding > 0),
    onHold,
  };
}

/** If a transfer has already been reported, keeps the time of the first report. */
export async function recordTransferClaim(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  const [[family]] = await context.db.tutorRead(tutorId, (tx) => [
    familyById(tx, tutorId, familyId),
  ]);
  if (!family) throw familyNotFound();
  // A repeated report must not increment the revision, which would make browsers refetch.
  if (family.transferClaimedAt !== null) return;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    // Another report, or an erasure, may have been committed in the meantime.
    const current = await familyById(tx, tutorId, familyId).executeTakeFirst();
    if (current?.transferClaimedAt !== null) return;
    await updateFamily(tx, tutorId, familyId, { transfer_claimed_at: context.clock.now() });
    await context.events.publish(tx, transferClaimed, { tutorId, familyId });
  });
}

/** Withdraws the payer's report of a transfer that was not sent after all. */
export async function withdrawTransferClaim(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const current = await familyById(tx, tutorId, familyId).executeTakeFirst();
    // The report has already been withdrawn, or a payment has been recorded in the meantime.
    if (!current || current.transferClaimedAt === null) return;
    await updateFamily(tx, tutorId, familyId, { transfer_claimed_at: null });
    await context.events.publish(tx, transferClaimWithdrawn, { tutorId, familyId });
  });
}

/** Payments less refunds in a period, by family id. */
export async function getPaidAmounts(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  period: { from: string; to: string },
): Promise<Map<number, { currency: Currency; amount: number }[]>> {
  const rows = await paidBetween(tx, tutorId, familyIds, period).execute();
  return Map.groupBy(rows, ({ familyId }) => familyId);
}

export interface PaymentSummary {
  amount: number;
  currency: Currency;
  date: string;
  method: string;
}

/** The account's latest payment with the charges it covers; null if there is none. */
export async function getLatestPayment(
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<(PaymentSummary & { createdAt: Date; charges: CoveredCharge[] }) | null> {
  const latest = await latestPayment(tx, tutorId, familyId).executeTakeFirst();
  if (!latest) return null;
  const charges = await coveredCharges(tx, tutorId, latest.id).execute();
  return { ...latest, currency: latest.currency as Currency, charges };
}
