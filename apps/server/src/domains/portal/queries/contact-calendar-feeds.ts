import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import { linkKeyOf } from '../../../platform/payment-and-feed-link-tokens.ts';

/** No row if the contact has no feed. */
export const findContactFeed = (tx: Tx, tutorId: string, contactId: number) =>
  queryFromSql(
    tx,
    sql<{ linkKey: string | null }>`
      select ${linkKeyOf(sql`'contact_feed'`, sql`f.tutor_id`, sql`f.contact_id`)} as "linkKey"
      from contact_feeds f where f.tutor_id = ${tutorId}::uuid and f.contact_id = ${contactId}::int`,
  );

/** If the contact has a feed already, updates its date and the kind of address that the login has verified. */
export async function insertContactFeed(
  tx: Tx,
  feed: { tutorId: string; contactId: number; provenBy: 'email' | 'phone'; now: Date },
): Promise<void> {
  const columns = { created_at: feed.now, proven_by: feed.provenBy };
  await tx
    .insertInto('contact_feeds')
    .values({ tutor_id: feed.tutorId, contact_id: feed.contactId, ...columns })
    .onConflict((conflict) => conflict.columns(['tutor_id', 'contact_id']).doUpdateSet(columns))
    .execute();
}

export async function deleteContactFeed(tx: Tx, tutorId: string, contactId: number): Promise<void> {
  await tx
    .deleteFrom('contact_feeds')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', contactId)
    .execute();
}
