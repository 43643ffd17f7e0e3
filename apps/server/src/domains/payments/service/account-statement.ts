import type { Balance } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { transferClaimed } from '../events.ts';
import { familiesByIds, familyBalances, familyById, updateFamily } from '../queries/families.ts';
import { type ChargeView, openFamilyCharges } from '../queries/ledger.ts';
import { toBalance } from '../rules/balance.ts';
import { familyNotFound } from './guards.ts';

export interface AccountStatement {
  name: string;
  email: string | null;
  phone: string | null;
  payToken: string;
  reference: string;
  transferClaimedAt: Date | null;
  balances: Balance[];
  charges: ChargeView[];
}

/** An account's open charges and balances, as shown to the payer. */
export async function readAccountStatement(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<AccountStatement> {
  const [[family], balances, charges] = await context.db.tutorRead(tutorId, (tx) => [
    familyById(tx, tutorId, familyId),
    familyBalances(tx, tutorId, [familyId]),
    openFamilyCharges(tx, tutorId, [familyId]),
  ]);
  if (!family) throw familyNotFound();
  return { ...family, balances: balances.map(toBalance), charges };
}

/** Like readAccountStatement, but inside an existing transaction. */
export async function getAccountStatement(
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<AccountStatement> {
  const statement = (await getAccountStatements(tx, tutorId, [familyId])).get(familyId);
  if (!statement) throw familyNotFound();
  return statement;
}

/** The statements by family id. */
export async function getAccountStatements(
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<Map<number, AccountStatement>> {
  const families = await familiesByIds(tx, tutorId, familyIds).execute();
  const balances = await familyBalances(tx, tutorId, familyIds).execute();
  const charges = await openFamilyCharges(tx, tutorId, familyIds).execute();
  const balancesById = Map.groupBy(balances, ({ familyId }) => familyId);
  const chargesById = Map.groupBy(charges, ({ familyId }) => familyId);
  return new Map(
    families.map((family) => [
      family.id,
      {
        ...family,
        balances: (balancesById.get(family.id) ?? []).map(toBalance),
        charges: chargesById.get(family.id) ?? [],
      },
    ]),
  );
}

/** If a transfer has already been reported, keeps the time of the first report. */
export async function recordTransferClaim(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  const { transferClaimedAt } = await readAccountStatement(context, tutorId, familyId);
  if (transferClaimedAt !== null) return;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    await updateFamily(tx, tutorId, familyId, { transfer_claimed_at: context.clock.now() });
    await context.events.publish(tx, transferClaimed, { tutorId, familyId });
  });
}
