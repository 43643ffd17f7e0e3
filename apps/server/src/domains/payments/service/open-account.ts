import type { Balance } from '@lessonbook/contract/payments';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { transferClaimed } from '../events.ts';
import { balancesOf, familyById, updateFamily } from '../queries/families.ts';
import { type ChargeView, openChargesOfFamily } from '../queries/ledger.ts';
import { asBalance } from '../rules/balance.ts';
import { noSuchFamily } from './families.ts';

export interface OpenAccount {
  name: string;
  email: string | null;
  phone: string | null;
  payToken: string;
  reference: string;
  claimedAt: Date | null;
  balances: Balance[];
  charges: ChargeView[];
}

/** What is still to be paid on an account, for whoever shows it to the payer. */
export async function readOpenAccount(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<OpenAccount> {
  const [[family], balances, charges] = await context.db.readTutor(tutorId, (tx) => [
    familyById(tx, tutorId, familyId),
    balancesOf(tx, tutorId, familyId),
    openChargesOfFamily(tx, tutorId, familyId),
  ]);
  if (!family) throw noSuchFamily();
  return { ...family, balances: balances.map(asBalance), charges };
}

/** The same inside a transaction that is about to speak of it. */
export async function openAccountIn(
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<OpenAccount> {
  const family = await familyById(tx, tutorId, familyId).executeTakeFirst();
  if (!family) throw noSuchFamily();
  const balances = await balancesOf(tx, tutorId, familyId).execute();
  const charges = await openChargesOfFamily(tx, tutorId, familyId).execute();
  return { ...family, balances: balances.map(asBalance), charges };
}

/** The first word counts: saying it again does not make it newer. */
export async function noteClaim(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<void> {
  const { claimedAt } = await readOpenAccount(context, tutorId, familyId);
  if (claimedAt !== null) return;
  await context.db.withTutor(tutorId, async (tx) => {
    await updateFamily(tx, tutorId, familyId, { transfer_claimed_at: context.clock.now() });
    await context.events.publish(tx, transferClaimed, { tutorId, familyId });
  });
}
