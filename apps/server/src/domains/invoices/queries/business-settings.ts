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
