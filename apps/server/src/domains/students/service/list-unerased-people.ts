import type { Person } from '@lessonbook/contract/account-deletion-and-erasure';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { Context } from '../../../context.ts';
import { unerasedCarersPage, unerasedStudentsPage } from '../queries/erasure.ts';

/** Lists people who have not been erased, including archived students and their carers. */
export const listPeople = (
  context: Context,
  tutorId: string,
  { kind, ...page }: PageQuery & Pick<Person, 'kind'>,
): Promise<Person[]> =>
  kind === 'student'
    ? listUnerasedStudents(context, tutorId, page)
    : listUnerasedCarers(context, tutorId, page);

async function listUnerasedStudents(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Person[]> {
  const [students] = await context.db.tutorRead(tutorId, (tx) => [
    unerasedStudentsPage(tx, tutorId, page),
  ]);
  return students.map(({ id, name, carerName, archivedAt }) => ({
    kind: 'student',
    id,
    name,
    about: carerName ? `Student, carer ${carerName}` : 'Student',
    isArchived: archivedAt !== null,
  }));
}

const NAME_LIST = new Intl.ListFormat('en-GB', { type: 'conjunction' });

async function listUnerasedCarers(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Person[]> {
  const [carers] = await context.db.tutorRead(tutorId, (tx) => [
    unerasedCarersPage(tx, tutorId, page),
  ]);
  return carers.map(({ id, name, students, hasActiveStudents }) => ({
    kind: 'carer',
    id,
    name,
    about: students.length > 0 ? `Carer of ${NAME_LIST.format(students)}` : 'Carer',
    isArchived: !hasActiveStudents,
  }));
}
