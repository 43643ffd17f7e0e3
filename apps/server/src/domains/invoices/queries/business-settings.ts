import { sql } from 'kysely';
import type { RowOf } from '../../../platform/db/compiled-query.ts';
import type { Tx } from '../../../platform/db/database.ts';

export const businessSettingsByTutor = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('business_settings')
    .where('tutor_id', '=', tutorId)
    .select([
      'trading_name as tradingName',
      'address',
      'email',
      'phone',
      'extra',
      'account_name as accountName',
      'sort_code as sortCode',
      'account_number as accountNumber',
      'iban',
      'bic',
      'payment_instructions as paymentInstructions',
      'due_days as dueDays',
      'invoice_note as invoiceNote',
      'invoice_prefix as invoicePrefix',
      'next_invoice_number as nextInvoiceNumber',
      'bank_details_changed_at as bankDetailsChangedAt',
    ]);

export type BusinessRecord = RowOf<ReturnType<typeof businessSettingsByTutor>>;

export async function saveBusiness(
  tx: Tx,
  tutorId: string,
  business: BusinessRecord,
): Promise<void> {
  const columns = {
    trading_name: business.tradingName,
    address: business.address,
    email: business.email,
    phone: business.phone,
    extra: business.extra,
    account_name: business.accountName,
    sort_code: business.sortCode,
    account_number: business.accountNumber,
    iban: business.iban,
    bic: business.bic,
    payment_instructions: business.paymentInstructions,
    due_days: business.dueDays,
    invoice_note: business.invoiceNote,
    invoice_prefix: business.invoicePrefix,
    next_invoice_number: business.nextInvoiceNumber,
    bank_details_changed_at: business.bankDetailsChangedAt,
  };
  await tx
    .insertInto('business_settings')
    .values({ tutor_id: tutorId, ...columns })
    .onConflict((conflict) => conflict.column('tutor_id').doUpdateSet(columns))
    .execute();
}

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
