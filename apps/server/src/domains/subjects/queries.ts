import type { SUBJECT_CURRENCIES, SubjectColor } from '@lessonbook/contract/subjects';
import { compiledQuery } from '../../platform/db/compiled-query.ts';
import type { Tx } from '../../platform/db/database.ts';

export interface SubjectDetails {
  name: string;
  description: string | null;
  /** In minor units. */
  defaultFee: number;
  currency: (typeof SUBJECT_CURRENCIES)[number];
  /** Undefined leaves the colour as it is. */
  color?: SubjectColor | undefined;
}

export interface SubjectRow extends SubjectDetails {
  id: number;
  color: SubjectColor;
}

const columns = [
  'id',
  'name',
  'description',
  'default_fee as defaultFee',
  'currency',
  'color',
] as const;

const toColumns = (details: SubjectDetails) => ({
  name: details.name,
  description: details.description,
  default_fee: details.defaultFee,
  currency: details.currency,
  ...(details.color && { color: details.color }),
});

export async function countActiveSubjects(tx: Tx, tutorId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('subjects')
    .where('tutor_id', '=', tutorId)
    .where('archived_at', 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export const activeSubjects = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('subjects')
    .where('tutor_id', '=', tutorId)
    .where('archived_at', 'is', null)
    .select(columns)
    .$castTo<SubjectRow>();

export const subjectById = compiledQuery((tx, tutorId: string, id: number) =>
  activeSubjects(tx, tutorId).where('id', '=', id),
);

export async function usedColors(tx: Tx, tutorId: string): Promise<SubjectColor[]> {
  const rows = await activeSubjects(tx, tutorId).execute();
  return rows.map((row) => row.color);
}

export async function insertSubject(
  tx: Tx,
  tutorId: string,
  subject: SubjectRow,
  now: Date,
): Promise<void> {
  await tx
    .insertInto('subjects')
    .values({
      tutor_id: tutorId,
      id: subject.id,
      ...toColumns(subject),
      color: subject.color,
      created_at: now,
    })
    .execute();
}

/** Undefined if the subject does not exist or is archived. */
export async function updateSubject(
  tx: Tx,
  tutorId: string,
  id: number,
  details: SubjectDetails,
): Promise<SubjectRow | undefined> {
  return tx
    .updateTable('subjects')
    .set(toColumns(details))
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning(columns)
    .$castTo<SubjectRow>()
    .executeTakeFirst();
}

export async function archiveSubject(
  tx: Tx,
  tutorId: string,
  id: number,
  now: Date,
): Promise<boolean> {
  const archived = await tx
    .updateTable('subjects')
    .set({ archived_at: now })
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return archived !== undefined;
}
