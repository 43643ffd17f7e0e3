import type { Balance } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
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
  /** See `linkKeyOf`. */
  linkKey: string;
  reference: string;
  transferClaimedAt: Date | null;
  balances: Balance[];
  charges: ChargeView[];
}

/** An account's open charges and balances, as shown to the payer. */
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
  const [families, balances, charges] = await executeBatch(tx, [
    familiesByIds(tx, tutorId, familyIds),
    familyBalances(tx, tutorId, familyIds),
    openFamilyCharges(tx, tutorId, familyIds),
  ]);
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
