import { sql } from 'kysely';
import type { Tx } from '../../../platform/db/database.ts';

/** Called under the tutor's lock in the transaction that issues the documents, so that a rollback leaves no gap. */
export async function allocateNumbers(
  tx: Tx,
  tutorId: string,
  column: 'next_invoice_number' | 'next_credit_note_number',
  count: number,
): Promise<{ sequences: number[]; prefix: string }> {
  const row = await tx
    .insertInto('business_settings')
    .values({ tutor_id: tutorId, [column]: count + 1 })
    .onConflict((conflict) =>
      conflict
        .column('tutor_id')
        .doUpdateSet({ [column]: sql`${sql.ref(`business_settings.${column}`)} + ${count}` }),
    )
    .returning([column, 'invoice_prefix as prefix'])
    .executeTakeFirstOrThrow();
  const first = row[column] - count;
  return {
    sequences: Array.from({ length: count }, (_, index) => first + index),
    prefix: row.prefix,
  };
}

export const highestSequence = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('invoices')
    .where('tutor_id', '=', tutorId)
    .where('kind', '=', sql.lit('invoice'))
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .executeTakeFirst();
