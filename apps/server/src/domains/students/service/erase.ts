import type { EraseInput } from '@lessonbook/contract/account-deletion-and-erasure';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import { studentArchived, studentSaved } from '../events.ts';
import { copyStudentToOwnContact } from '../queries/contacts.ts';
import {
  activeStudentsOfCarer,
  eraseCarerRow,
  eraseStudentRow,
  setMainContact,
  unerasedCarers,
  unerasedStudents,
  unlinkFromStudents,
} from '../queries/erasure.ts';
import { archiveStudent } from '../queries/students.ts';
import { type ErasedPerson, identifyingStrings, isSameName } from '../rules/identifying-strings.ts';
import { getOrCreateOwnContact, linkMainContact } from './carers-and-contact-records.ts';

export type { ErasedPerson } from '../rules/identifying-strings.ts';

/**
 * Erases the person's data and returns the strings that identify them in other domains. Erasing an active student also
 * archives them, which cancels future sessions. If a carer is erased, their active students become their own payers.
 */
export async function eraseFromStudents(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: EraseInput,
): Promise<ErasedPerson> {
  const { kind, id } = input;
  const candidates =
    kind === 'student' ? unerasedStudents(tx, tutorId) : unerasedCarers(tx, tutorId);
  const column = kind === 'student' ? 'students.id' : 'contacts.id';
  const person = await (candidates as ReturnType<typeof unerasedStudents>)
    .where(column as 'students.id', '=', id)
    .executeTakeFirst();
  if (!person) throw new AppError('not_found', "We couldn't find that person.");
  if (!isSameName(input.name, person.name)) {
    const message = "The name doesn't match";
    throw new AppError('invalid', message, { fields: { name: message } });
  }
  const { name, email, phone } = person;
  const now = context.clock.now();
  if (kind === 'student') {
    if (await archiveStudent(tx, tutorId, id, now))
      await context.events.publish(tx, studentArchived, { tutorId, studentId: id });
    await eraseStudentRow(tx, tutorId, id, now);
    await copyStudentToOwnContact(tx, tutorId, id);
  } else {
    await eraseCarerRow(tx, tutorId, id, now);
    for (const student of await activeStudentsOfCarer(tx, tutorId, id)) {
      const contactId = await getOrCreateOwnContact(tx, tutorId, student, now);
      await setMainContact(tx, tutorId, student.id, contactId);
      await linkMainContact(tx, tutorId, student.id, { contactId, previousId: id });
      await context.events.publish(tx, studentSaved, {
        tutorId,
        studentId: student.id,
        hasNewMainContact: true,
      });
    }
    await unlinkFromStudents(tx, tutorId, id);
  }
  const identifiers = identifyingStrings(person);
  await redactTextColumns(
    tx,
    tutorId,
    'students',
    ['notes', 'school', 'school_year', 'subject'],
    identifiers,
  );
  return { kind, id, identifiers, firstName: name.trim().split(/\s+/)[0] ?? '', email, phone };
}
