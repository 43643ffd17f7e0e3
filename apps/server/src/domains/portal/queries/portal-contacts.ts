import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

export interface PortalContactRow {
  id: number;
  name: string;
  hasAddress: boolean;
  isSuspended: boolean;
  lastSeenAt: Date | null;
  sharesAddress: boolean;
  students: {
    id: number;
    name: string;
    seesLessons: boolean;
    seesPlace: boolean;
    seesNotes: boolean;
    seesMoney: boolean;
  }[];
}

/**
 * The contacts of current students, ordered by name, with what each of them may see about which student. With
 * `hasWhatsApp`, they can also sign in with a phone number.
 */
export const portalContacts = (tx: Tx, tutorId: string, hasWhatsApp: boolean) =>
  queryFromSql(
    tx,
    sql<PortalContactRow>`
      select c.id, c.name, c.email is not null or p.phone is not null as "hasAddress",
        c.suspended_at is not null as "isSuspended",
        (select max(l.last_seen_at) from contact_logins l
         where l.tutor_id = c.tutor_id and l.contact_id = c.id) as "lastSeenAt",
        (count(*) over (partition by lower(c.email)) > 1 and c.email is not null)
          or (count(*) over (partition by p.phone) > 1 and p.phone is not null) as "sharesAddress",
        a.students
      from contacts c
      join lateral (
        select json_agg(json_build_object('id', s.id, 'name', s.name, 'seesLessons', a.sees_lessons,
          'seesPlace', a.sees_place, 'seesMoney', a.sees_money, 'seesNotes', a.sees_notes and
            (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))) order by s.name, s.id) as students
        from contact_access a
        join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
        where a.tutor_id = c.tutor_id and a.contact_id = c.id
          and s.erased_at is null and s.archived_at is null
      ) as a on a.students is not null
      cross join lateral (select case when ${hasWhatsApp}::boolean then to_e164(c.phone) end as phone) as p
      where c.tutor_id = ${tutorId}::uuid and c.erased_at is null
      order by lower(c.name), c.id`,
  );

/** Returns whether there is such a contact. */
export async function setContactSuspended(
  tx: Tx,
  tutorId: string,
  contactId: number,
  suspendedAt: Date | null,
): Promise<boolean> {
  const result = await tx
    .updateTable('contacts')
    .set({ suspended_at: suspendedAt })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .where('erased_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export const contactExists = (tx: Tx, tutorId: string, contactId: number) =>
  tx
    .selectFrom('contacts')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', contactId)
    .where('erased_at', 'is', null)
    .select('id');
