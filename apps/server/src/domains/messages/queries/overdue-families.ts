import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { dueDate, heldAmount } from '../../payments/service/charges.ts';

export interface OverdueFamily {
  familyId: number;
  currency: string;
  owed: number;
  /** The oldest due date. */
  dueSince: string;
  transferClaimedAt: Date | null;
}

/**
 * Families with overdue charges that are not on hold, optionally limited to one family. Leaves out families that reported a
 * transfer at or after `claimedBefore`.
 */
export const overdueFamilies = (
  tx: Tx,
  tutorId: string,
  today: string,
  claimedBefore: Date,
  familyId?: number,
) =>
  queryFromSql(
    tx,
    sql<OverdueFamily>`
      select c.family_id as "familyId", c.currency, sum(c.outstanding - held.amount)::int8 as owed,
        min(${dueDate('c', 'i')}) as "dueSince",
        f.transfer_claimed_at as "transferClaimedAt"
      from charges c
      join families f on f.tutor_id = c.tutor_id and f.id = c.family_id
      cross join lateral (select ${heldAmount('c')} as amount) as held
      left join invoices i on i.tutor_id = c.tutor_id and i.id = c.invoice_id
      where c.tutor_id = ${tutorId}::uuid and c.outstanding > held.amount and c.outstanding > 0
        and ${dueDate('c', 'i')} < ${today}::date
        and (f.transfer_claimed_at is null or f.transfer_claimed_at < ${claimedBefore}::timestamptz)
        ${familyId === undefined ? sql`` : sql`and c.family_id = ${familyId}::int`}
      group by c.family_id, c.currency, f.transfer_claimed_at
      order by c.family_id, c.currency`,
  );
