import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';
import type { MessageRecord } from './messages.ts';

/**
 * The recipient's current address. The recipient is the person to whom the lessons or notes were sent, or else the payer.
 * Null if there is no address.
 */
export async function currentAddress(
  tx: Tx,
  tutorId: string,
  { id, channel, familyId }: Pick<MessageRecord, 'id' | 'channel' | 'familyId'>,
): Promise<string | null> {
  const person = (alias: string) => sql.ref(`${alias}.${channel === 'email' ? 'email' : 'phone'}`);
  const [row] = await queryFromSql(
    tx,
    sql<{ address: string | null }>`
      with recipient as (
        select min(recipient) as key from message_sessions
        where tutor_id = ${tutorId}::uuid and message_id = ${id}::int)
      select ${person('c')} as address from recipient
      join contacts c on c.tutor_id = ${tutorId}::uuid and c.id = case when recipient.key like 'c%' then substr(recipient.key, 2)::int end
      union all
      select ${person('s')} from recipient
      join students s on s.tutor_id = ${tutorId}::uuid and s.id = case when recipient.key like 's%' then substr(recipient.key, 2)::int end
      union all
      select ${person('n')} from note_emails e
      join contacts n on n.tutor_id = e.tutor_id and n.id = e.contact_id
      where e.tutor_id = ${tutorId}::uuid and e.message_id = ${id}::int
      union all
      select ${person('p')} from recipient
      join families f on f.tutor_id = ${tutorId}::uuid and f.id = ${familyId}::int
      join contacts p on p.tutor_id = f.tutor_id and p.id = f.contact_id
      where recipient.key is null`,
  ).execute();
  return row?.address ?? null;
}
