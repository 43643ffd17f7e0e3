import type { PortalSettings } from '@lessonbook/contract/portal-management';
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

/** The current students `s` of contact `c`, with the contact's access `a`. */
const currentStudents = sql`
  from contact_access a
  join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
  where a.tutor_id = c.tutor_id and a.contact_id = c.id and s.erased_at is null and s.archived_at is null`;

/** The contacts of current students. With `hasWhatsApp`, they can also sign in with a phone number. */
const contactsOfCurrentStudents = (tutorId: string, hasWhatsApp: boolean) => sql`
  select c.tutor_id, c.id, c.name, c.student_id, c.suspended_at is not null as is_suspended,
    c.email is not null or p.phone is not null as has_address,
    (count(*) over (partition by lower(c.email)) > 1 and c.email is not null)
      or (count(*) over (partition by p.phone) > 1 and p.phone is not null) as shares_address
  from contacts c
  cross join lateral (select case when ${hasWhatsApp}::boolean then to_e164(c.phone) end as phone) as p
  where c.tutor_id = ${tutorId}::uuid and c.erased_at is null and exists (
    select ${currentStudents})`;

/** Whether the contact in row `c` may see the notes about the student in row `s`. */
const seesNotes = sql`a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))`;

export const portalContactCounts = (tx: Tx, tutorId: string, hasWhatsApp: boolean) =>
  queryFromSql(
    tx,
    sql<PortalSettings['contactCounts']>`
      select count(*)::int as total,
        (count(*) filter (where c.may_sign_in and c.has_address))::int as "canSignIn",
        (count(*) filter (where c.may_sign_in and not c.has_address))::int as "withoutAddress",
        (count(*) filter (where c.may_sign_in and c.has_address and c.shares_address))::int as "sharingAddress"
      from (
        select c.*, not c.is_suspended and exists (
          select ${currentStudents}
            and (a.sees_lessons or a.sees_money or (${seesNotes}))) as may_sign_in
        from (${contactsOfCurrentStudents(tutorId, hasWhatsApp)}) as c
      ) as c`,
  );

interface PortalContactPage {
  limit: number;
  offset: number;
  /** Regular expressions; all of them match the name of the contact or of one student. Empty for all contacts. */
  nameWords: readonly string[];
}

/** A page of the contacts, ordered by name, with what each of them may see about which student. */
export const portalContacts = (
  tx: Tx,
  tutorId: string,
  hasWhatsApp: boolean,
  { limit, offset, nameWords }: PortalContactPage,
) =>
  queryFromSql(
    tx,
    sql<PortalContactRow>`
      select c.id, c.name, c.has_address as "hasAddress", c.is_suspended as "isSuspended", c.shares_address as "sharesAddress",
        (select max(l.last_seen_at) from contact_logins l
         where l.tutor_id = c.tutor_id and l.contact_id = c.id) as "lastSeenAt",
        (select json_agg(json_build_object('id', s.id, 'name', s.name, 'seesLessons', a.sees_lessons,
            'seesPlace', a.sees_place, 'seesMoney', a.sees_money, 'seesNotes', ${seesNotes}) order by s.name, s.id)
          ${currentStudents}) as students
      from (
        select c.* from (${contactsOfCurrentStudents(tutorId, hasWhatsApp)}) as c
        where c.name ~ all(${nameWords}::text[]) or exists (
          select ${currentStudents}
            and s.name ~ all(${nameWords}::text[]))
        order by lower(c.name), c.id
        limit ${limit}::int offset ${offset}::int
      ) as c
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
