import type { SearchResults } from '@lessonbook/contract/search';
import { type RawBuilder, sql } from 'kysely';
import { queryFromSql, type Tx } from '../../../platform/db/database.ts';

/*
 * All rows of the tutor are compared. A trigram index would not be used: under row-level security PostgreSQL evaluates a
 * regular expression only after the policy, because it is not leakproof.
 */

/** See platform/search-patterns.ts. */
export interface NamePatterns {
  /** Regular expressions; all of them match the name. */
  words: readonly string[];
  /** The same words, matched only at the start of a word. */
  wordStarts: readonly string[];
  /** For LIKE, in lower case. Accents are not ignored, because that is slower. */
  email: string | null;
  /** A regular expression. */
  phone: string | null;
}

const matchesName = (name: RawBuilder<unknown>, { words }: NamePatterns) =>
  // An empty list of words matches nothing, because the text may consist of an apostrophe only.
  words.length > 0 ? sql`${name} ~ all(${words}::text[])` : sql`false`;

const matches = (table: RawBuilder<unknown>, patterns: NamePatterns) => sql`(
  ${matchesName(sql`${table}.name`, patterns)}
  ${patterns.email === null ? sql`` : sql`or lower(${table}.email collate "C") like ${patterns.email}::text`}
  ${patterns.phone === null ? sql`` : sql`or ${table}.phone ~ ${patterns.phone}::text`})`;

/** 0 if the name has words that start with the typed ones, 1 if it contains them, 2 if only the email or phone matches. */
const rank = (name: RawBuilder<unknown>, patterns: NamePatterns) => sql`
  case when ${name} ~ all(${patterns.wordStarts}::text[]) then 0 when ${matchesName(name, patterns)} then 1 else 2 end`;

export interface StudentMatch {
  id: number;
  name: string;
  subject: string | null;
  carerName: string | null;
  isArchived: boolean;
  /** The accounts that pay for the student, the current one first. */
  familyIds: number[];
}

/** The best matches. The columns of other tables are read only for these. */
export const matchingStudents = (tx: Tx, tutorId: string, patterns: NamePatterns, limit: number) =>
  queryFromSql(
    tx,
    sql<StudentMatch>`
      select s.id, s.name, s.subject, s.archived_at is not null as "isArchived", carer.name as "carerName",
        array(
          select p.family_id from student_payers p
          join families f on f.tutor_id = p.tutor_id and f.id = p.family_id
          join contacts c on c.tutor_id = f.tutor_id and c.id = f.contact_id
          where p.tutor_id = s.tutor_id and p.student_id = s.id and c.erased_at is null
          order by p.from_date desc, p.position) as "familyIds"
      from (
        select *, ${rank(sql`s.name`, patterns)} as rank
        from students s
        where s.tutor_id = ${tutorId}::uuid and s.erased_at is null and ${matches(sql`s`, patterns)}
        order by rank, s.archived_at is not null, s.name, s.id
        limit ${limit}::int
      ) as s
      left join lateral (
        select c.name from contacts c
        where c.tutor_id = s.tutor_id and c.id = s.contact_id and c.student_id is null and c.erased_at is null
      ) as carer on true
      order by s.rank, s.archived_at is not null, s.name, s.id`,
  );

export interface ContactMatch {
  id: number;
  name: string;
  relationship: string | null;
  /** Null for a contact who has never paid. */
  familyId: number | null;
  students: { id: number; name: string; subject: string | null; isArchived: boolean }[];
}

/** Looking up the students of every contact would take longer than the search. */
const MAX_RANKED = 100;

/** Leaves out students who are their own contact. Among the first matches, contacts with an active student come first. */
export const matchingContacts = (tx: Tx, tutorId: string, patterns: NamePatterns, limit: number) =>
  queryFromSql(
    tx,
    sql<ContactMatch>`
      select c.id, c.name, c.relationship, family.id as "familyId", students.list as students
      from (
        select c.*, exists (
            select from contact_access a join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
            where a.tutor_id = c.tutor_id and a.contact_id = c.id and s.archived_at is null) as is_active
        from (
          select c.*, ${rank(sql`c.name`, patterns)} as rank
          from contacts c
          where c.tutor_id = ${tutorId}::uuid and c.student_id is null and c.erased_at is null and ${matches(sql`c`, patterns)}
          order by rank, c.name, c.id
          limit ${MAX_RANKED}::int
        ) as c
        order by c.rank, is_active desc, c.name, c.id
        limit ${limit}::int
      ) as c
      left join lateral (
        select f.id from families f where f.tutor_id = c.tutor_id and f.contact_id = c.id
      ) as family on true
      cross join lateral (
        select coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'name', s.name, 'subject', s.subject,
          'isArchived', s.archived_at is not null)
          order by s.archived_at is not null, s.name, s.id), '[]') as list
        from contact_access a join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
        where a.tutor_id = c.tutor_id and a.contact_id = c.id and s.erased_at is null
      ) as students
      order by c.rank, c.is_active desc, c.name, c.id`,
  );

export const matchingSubjects = (tx: Tx, tutorId: string, patterns: NamePatterns, limit: number) =>
  queryFromSql(
    tx,
    sql<SearchResults['subjects'][number]>`
      select s.id, s.name from subjects s
      where s.tutor_id = ${tutorId}::uuid and s.archived_at is null and ${matchesName(sql`s.name`, patterns)}
      order by ${rank(sql`s.name`, patterns)}, s.name, s.id
      limit ${limit}::int`,
  );
