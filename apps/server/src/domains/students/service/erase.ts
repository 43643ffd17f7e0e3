import type { EraseInput, Person } from '@lessonbook/contract/own-data';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { sweep } from '../../../platform/sweep.ts';
import { studentArchived, studentSaved } from '../events.ts';
import {
  eraseCarerRow,
  eraseStudentRow,
  knownCarers,
  knownStudents,
  partFromCarer,
} from '../queries/people.ts';
import { archiveStudent } from '../queries/students.ts';
import { byName } from '../rules/by-name.ts';
import { type ErasedPerson, isSameName, marksOf } from '../rules/erased.ts';

export type { ErasedPerson } from '../rules/erased.ts';

/** Everybody whose name is in the book, also those who have left every list. */
export async function listPeople(context: Context, tutorId: string): Promise<Person[]> {
  const [students, carers] = await context.db.readTutor(tutorId, (tx) => [
    knownStudents(tx, tutorId),
    knownCarers(tx, tutorId),
  ]);
  const people: Person[] = [
    ...students.map(({ id, name, carerName, archivedAt }) => ({
      kind: 'student' as const,
      id,
      name,
      about: carerName ? `Student, carer ${carerName}` : 'Student',
      left: archivedAt !== null,
    })),
    ...carers.map(({ id, name, students: children, teaches }) => ({
      kind: 'carer' as const,
      id,
      name,
      about: children.length > 0 ? `Carer of ${children.join(', ')}` : 'Carer',
      left: !teaches,
    })),
  ];
  return people.toSorted(byName);
}

/**
 * Takes a person out of the list of people, and says by what they are found elsewhere. What was still to come is called off
 * as when a student leaves; the children of a carer who goes are their own payers from now on.
 */
export async function eraseFromPeople(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: EraseInput,
): Promise<ErasedPerson> {
  const { kind, id } = input;
  const known = kind === 'student' ? knownStudents(tx, tutorId) : knownCarers(tx, tutorId);
  const column = kind === 'student' ? 'students.id' : 'carers.id';
  const person = await (known as ReturnType<typeof knownStudents>)
    .where(column as 'students.id', '=', id)
    .executeTakeFirst();
  if (!person) throw new AppError('not_found', 'That person is not in your book.');
  if (!isSameName(input.name, person.name)) {
    const message = 'That is another name';
    throw new AppError('invalid', message, { fields: { name: message } });
  }
  const { name, email, phone } = person;
  const now = context.clock.now();
  if (kind === 'student') {
    if (await archiveStudent(tx, tutorId, id, now))
      await context.events.publish(tx, studentArchived, { tutorId, studentId: id });
    await eraseStudentRow(tx, tutorId, id, now);
  } else {
    await eraseCarerRow(tx, tutorId, id, now);
    for (const studentId of await partFromCarer(tx, tutorId, id))
      await context.events.publish(tx, studentSaved, { tutorId, studentId });
  }
  const marks = marksOf(person);
  await sweep(tx, tutorId, 'students', ['notes', 'subject'], marks);
  return { kind, id, marks, firstName: name.trim().split(/\s+/)[0] ?? '', email, phone };
}
