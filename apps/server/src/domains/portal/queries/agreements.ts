import { sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

/** Ordered by version. */
export const agreementVersions = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('agreements')
    .where('tutor_id', '=', tutorId)
    .orderBy('version')
    .select([
      'version',
      'text',
      'starts_on as startsOn',
      'published_at as publishedAt',
      'asked_at as askedAt',
    ]);

/** Excludes the texts of the agreements. */
export const agreementStarts = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('agreements')
    .where('tutor_id', '=', tutorId)
    .orderBy('version')
    .select(['version', 'starts_on as startsOn']);

export async function insertAgreement(
  tx: Tx,
  tutorId: string,
  agreement: { version: number; text: string; startsOn: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('agreements')
    .values({
      tutor_id: tutorId,
      version: agreement.version,
      text: agreement.text,
      starts_on: agreement.startsOn,
      published_at: agreement.now,
    })
    .execute();
}

export async function setAgreementAsked(
  tx: Tx,
  tutorId: string,
  version: number,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('agreements')
    .set({ asked_at: now })
    .where('tutor_id', '=', tutorId)
    .where('version', '=', version)
    .where('asked_at', 'is', null)
    .execute();
}

interface PayerRow {
  contactId: number;
  familyId: number;
  name: string;
  email: string | null;
  timeZone: string | null;
  /** Whether the person may use the portal once it is open. */
  hasAccess: boolean;
  acceptances: { version: number; name: string; at: string; network: string | null }[];
}

/** The payers of current students under the latest arrangement, who are asked to accept. With an id, only that contact. */
export const payingContacts = (
  tx: Tx,
  tutorId: string,
  now: Date,
  contactId: number | null = null,
) =>
  queryFromSql(
    tx,
    sql<PayerRow>`
      select c.id as "contactId", f.id as "familyId", c.name, c.email, c.time_zone as "timeZone",
        c.suspended_at is null and exists (
          select 1 from contact_access a
          join students s on s.tutor_id = a.tutor_id and s.id = a.student_id and s.archived_at is null
          join tutors t on t.tutor_id = a.tutor_id
          where a.tutor_id = c.tutor_id and a.contact_id = c.id
            and (a.sees_lessons or a.sees_money
              or (a.sees_notes and (not s.notes_for_student_only or coalesce(c.student_id = s.id, false))))
            and (s.portal_ends_on is null or s.portal_ends_on >= (${now}::timestamptz at time zone t.time_zone)::date)) as "hasAccess",
        coalesce((
          select jsonb_agg(jsonb_build_object('version', x.version, 'name', x.name, 'network', x.network,
            'at', to_char(x.accepted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by x.version)
          from agreement_acceptances x
          where x.tutor_id = c.tutor_id and x.contact_id = c.id), '[]') as acceptances
      from contacts c
      join families f on f.tutor_id = c.tutor_id and f.contact_id = c.id
      where c.tutor_id = ${tutorId}::uuid and c.erased_at is null
        and (${contactId}::int is null or c.id = ${contactId}::int)
        and exists (
          select 1 from student_payers p
          join students s on s.tutor_id = p.tutor_id and s.id = p.student_id and s.archived_at is null
          where p.tutor_id = f.tutor_id and p.family_id = f.id
            and p.from_date = (
              select max(l.from_date) from student_payers l where l.tutor_id = p.tutor_id and l.student_id = p.student_id))
      order by lower(c.name), c.id`,
  );

export interface PortalAgreementRow {
  contactId: number;
  version: number;
  text: string;
  startsOn: string;
  acceptedAt: Date | null;
  acceptedName: string | null;
}

/** Runs with the contact's role. */
export const portalAgreements = (tx: Tx) =>
  queryFromSql(
    tx,
    sql<PortalAgreementRow>`
      select contact_id as "contactId", version, text, starts_on as "startsOn", accepted_at as "acceptedAt",
        accepted_name as "acceptedName"
      from portal_agreements order by version`,
  );

/** Accepting the same version again changes nothing. Returns whether the acceptance is new. */
export async function insertAcceptance(
  tx: Tx,
  tutorId: string,
  acceptance: {
    contactId: number;
    version: number;
    name: string;
    network: string | null;
    now: Date;
  },
): Promise<boolean> {
  const result = await tx
    .insertInto('agreement_acceptances')
    .values({
      tutor_id: tutorId,
      contact_id: acceptance.contactId,
      version: acceptance.version,
      name: acceptance.name,
      accepted_at: acceptance.now,
      network: acceptance.network,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteAcceptancesOf(
  tx: Tx,
  tutorId: string,
  person: { kind: 'student' | 'carer'; id: number },
): Promise<void> {
  const column = person.kind === 'student' ? 'student_id' : 'id';
  await tx
    .deleteFrom('agreement_acceptances')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', 'in', (eb) =>
      eb
        .selectFrom('contacts')
        .where('tutor_id', '=', tutorId)
        .where(column, '=', person.id)
        .select('id'),
    )
    .execute();
}
