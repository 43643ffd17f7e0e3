import { type RawBuilder, sql } from 'kysely';
import { planDueDate } from './instalment-plans.ts';

/**
 * The date on which a charge is due: the due date of its next instalment or of its invoice or, for a family that has never
 * been invoiced, the date of the lesson. A charge that will be invoiced has no due date yet. The parameters are the aliases
 * of the tables charges and invoices.
 */
export function dueDate(charge: string, invoice: string): RawBuilder<string | null> {
  const c = sql.ref(charge);
  return sql<
    string | null
  >`coalesce(${planDueDate(c)}, case when ${c}.invoice_id is not null then coalesce(${sql.ref(invoice)}.due_on, ${c}.due_date)
    when ${c}.kind = 'opening' or not exists (select from invoices issued
      where issued.tutor_id = ${c}.tutor_id and issued.family_id = ${c}.family_id and issued.kind = 'invoice'
        and issued.sequence > 0)
    then ${c}.due_date end)`;
}
