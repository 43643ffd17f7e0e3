import type { NavigationCounts } from '@lessonbook/contract/dashboard';
import { sql } from 'kysely';
import { compiledQuery } from '../../../platform/db/compiled-query.ts';
import { queryFromSql } from '../../../platform/db/database.ts';
import { heldAmount } from '../../payments/service/charges.ts';

/** An invoice counts as overdue under the same rule as in the list of invoices: an unpaid charge is not fully on hold. */
export const navigationCounts = compiledQuery((tx, tutorId: string, now: Date) =>
  queryFromSql(
    tx,
    sql<NavigationCounts>`
    select
      (select count(*) from students s
        where s.tutor_id = t.tutor_id and s.archived_at is null and s.status = 'active') as "activeStudents",
      (select count(*) from invoices i where i.tutor_id = t.tutor_id and i.issued_at is null) as "draftInvoices",
      (select count(*) from invoices i
        where i.tutor_id = t.tutor_id and i.kind = 'invoice' and i.issued_on is not null and i.voided_on is null
          and i.due_on < (${now}::timestamptz at time zone t.time_zone)::date
          and i.id in (
            select c.invoice_id from charges c
            where c.tutor_id = t.tutor_id and c.outstanding > 0 and c.outstanding > ${heldAmount('c')})) as "overdueInvoices",
      (select count(*) from messages m
        where m.tutor_id = t.tutor_id and (m.state in ('draft', 'opened') or m.state = 'failed')) as "messagesToSend"
    from tutors t where t.tutor_id = ${tutorId}::uuid`,
  ),
);
