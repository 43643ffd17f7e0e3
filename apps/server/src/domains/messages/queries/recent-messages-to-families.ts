import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { LastReminder } from './families-for-bulk-messages.ts';

/** Messages written by the tutor to these families, except those that failed, were skipped or were dismissed. */
export const customMessagesSince = (
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
  since: Date,
) =>
  tx
    .selectFrom('messages')
    .where('tutor_id', '=', tutorId)
    .where('family_id', '=', sql<number>`any(${familyIds}::int[])`)
    .where('kind', '=', 'custom')
    .where('created_at', '>=', since)
    .where('state', 'not in', ['failed', 'skipped', 'dismissed'])
    .select(['family_id as familyId', 'channel', 'subject', 'text']);

/** The last payment reminder to each of these families, whether or not the tutor has sent it yet. */
export const lastPaymentReminders = (tx: Tx, tutorId: string, familyIds: readonly number[]) =>
  queryFromSql(
    tx,
    sql<LastReminder>`
      select family_id as "familyId", max(coalesce(sent_at, created_at)) as at,
        bool_or(state in ('draft', 'opened')) as "isDraft"
      from messages
      where tutor_id = ${tutorId}::uuid and family_id = any(${familyIds}::int[]) and kind = 'payment_reminder'
        and state not in ('failed', 'skipped', 'dismissed')
      group by family_id`,
  );
