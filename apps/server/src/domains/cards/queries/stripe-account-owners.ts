import type { Tx } from '../../../platform/db/database.ts';

export async function insertAccountOwner(
  tx: Tx,
  accountId: string,
  tutorId: string,
): Promise<void> {
  await tx
    .insertInto('stripe_account_index')
    .values({ account_id: accountId, tutor_id: tutorId })
    .onConflict((conflict) => conflict.column('account_id').doNothing())
    .execute();
}

export async function findTutorByAccount(tx: Tx, accountId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('stripe_account_index')
    .where('account_id', '=', accountId)
    .select('tutor_id as tutorId')
    .executeTakeFirst();
  return row?.tutorId ?? null;
}
