import type {
  ContactInput,
  NewContactInput,
} from '@lessonbook/contract/student-contacts-and-payers';
import type { Contact, ContactAccess, Student } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone, getTutor } from '../../accounts/service/profile/read-tutor.ts';
import {
  type ContactDetails,
  contactDetails,
  copyStudentToOwnContact,
  deleteAccess,
  hasCarer,
  isEmailUsedByAnotherContact,
  setAccess,
  updateContact,
  updateStudentEmailOrPhone,
} from '../queries/contacts.ts';
import { updateNoteReaders } from '../queries/students.ts';
import { defaultCallingCode, normalizePhone } from '../rules/phone.ts';
import { createContact, fullAccess, getOrCreateOwnContact } from './carers-and-contact-records.ts';
import { assertPhones, getStudentOrThrow } from './students.ts';

/** Adds a contact who may see nothing until the tutor changes it. A linked contact is not changed. */
export async function addContact(
  context: Context,
  tutorId: string,
  studentId: number,
  input: NewContactInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<Student> {
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const student = await getStudentOrThrow(tx, tutorId, studentId);
    await withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const contactId = await findOrCreateContact(tx, tutorId, student, input, now);
      const isLinked = student.contacts.some((contact) => contact.id === contactId);
      if (!isLinked) await setAccess(tx, tutorId, { contactId, studentId }, fullAccess(false));
      return contactId;
    });
    return getStudentOrThrow(tx, tutorId, studentId);
  });
}

async function findOrCreateContact(
  tx: Tx,
  tutorId: string,
  student: Student,
  input: NewContactInput,
  now: Date,
): Promise<number> {
  const { isStudent, contactId, name } = input;
  if (isStudent) return getOrCreateOwnContact(tx, tutorId, student, now);
  if (contactId !== undefined) {
    if (!(await hasCarer(tx, tutorId, contactId))) throw contactNotFound();
    return contactId;
  }
  const details = await toContactDetails(tx, tutorId, { ...input, name: name ?? '' }, null);
  return createContact(tx, tutorId, details, null, now);
}

/** The details are the same for all students of the contact; the access is for this student. */
export async function changeContact(
  context: Context,
  tutorId: string,
  studentId: number,
  contactId: number,
  input: ContactInput,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const student = await getStudentOrThrow(tx, tutorId, studentId);
    const contact = findContactOrThrow(student, contactId);
    const details = await toContactDetails(tx, tutorId, input, contact.phone);
    if (contact.isStudent && !hasSameCopies(contact, details)) {
      throw new AppError(
        'conflict',
        'This contact is the student. Please edit the student instead.',
      );
    }
    await updateContact(tx, tutorId, contactId, details);
    if (!contact.isMain && !isSameAccess(contact.access, input.access)) {
      await setAccess(tx, tutorId, { contactId, studentId }, input.access);
      await recordAudit(tx, tutorId, {
        action: 'contact_access_changed',
        at: context.clock.now(),
        metadata: { contactId, studentId },
      });
    }
    return getStudentOrThrow(tx, tutorId, studentId);
  });
}

const hasSameCopies = (contact: Contact, details: ContactDetails): boolean =>
  contact.name === details.name &&
  contact.phone === details.phone &&
  contact.email === details.email;

const isSameAccess = (a: ContactAccess, b: ContactAccess): boolean =>
  (Object.keys(a) as (keyof ContactAccess)[]).every((key) => a[key] === b[key]);

/** For a person who changes their own email or phone number. Null if it has not changed. */
export async function changeContactEmailOrPhone(
  tx: Tx,
  tutorId: string,
  contactId: number,
  typed: { email: string } | { phone: string },
): Promise<{ name: string; before: string | null; after: string } | null> {
  const stored = await contactDetails(tx, tutorId, contactId).executeTakeFirstOrThrow();
  const change = 'email' in typed ? typed : await toPhone(tx, tutorId, typed.phone, stored.phone);
  const [before, after] =
    'email' in change ? [stored.email, change.email] : [stored.phone, change.phone];
  if (before === after) return null;
  if ('email' in change) await assertEmailIsFree(tx, tutorId, contactId, after);
  // The details of a student's own contact are copies.
  if (stored.studentId === null) await updateContact(tx, tutorId, contactId, change);
  else {
    await updateStudentEmailOrPhone(tx, tutorId, stored.studentId, change);
    await copyStudentToOwnContact(tx, tutorId, stored.studentId);
  }
  return { name: stored.name, before, after };
}

/** Only for a person who has verified the address. */
export async function assertEmailIsFree(
  tx: Tx,
  tutorId: string,
  contactId: number,
  email: string,
): Promise<void> {
  if (!(await isEmailUsedByAnotherContact(tx, tutorId, contactId, email))) return;
  const { name } = await getTutor(tx, tutorId);
  throw new AppError(
    'conflict',
    `${name} already has this address for another contact. Please ask ${name} to change it for you.`,
  );
}

async function toPhone(
  tx: Tx,
  tutorId: string,
  typed: string,
  stored: string | null,
): Promise<{ phone: string }> {
  await assertPhones(tx, tutorId, { phone: { typed, stored } });
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  return { phone: normalizePhone(typed, callingCode) };
}

/** The contact remains for other students, past charges and messages. */
export async function removeContact(
  context: Context,
  tutorId: string,
  studentId: number,
  contactId: number,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const student = await getStudentOrThrow(tx, tutorId, studentId);
    const contact = findContactOrThrow(student, contactId);
    if (contact.isMain)
      throw new AppError('conflict', 'This is the main contact. Please choose another one first.');
    if (student.payers.some((payer) => payer.contactId === contactId))
      throw new AppError(
        'conflict',
        'This contact pays for lessons. Please change the payers first.',
      );
    await deleteAccess(tx, tutorId, { contactId, studentId });
    await recordAudit(tx, tutorId, {
      action: 'contact_access_changed',
      at: context.clock.now(),
      metadata: { contactId, studentId },
    });
    return getStudentOrThrow(tx, tutorId, studentId);
  });
}

/** For a student of 16 or over: other contacts no longer see what the tutor shares about the lessons. */
export async function setNoteReaders(
  context: Context,
  tutorId: string,
  studentId: number,
  studentOnly: boolean,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const student = await getStudentOrThrow(tx, tutorId, studentId);
    if (student.notesForStudentOnly === studentOnly) return student;
    if (studentOnly && !student.contacts.some(({ isStudent }) => isStudent))
      throw new AppError('conflict', 'Please add the student as a contact first.');
    await updateNoteReaders(tx, tutorId, studentId, studentOnly);
    await recordAudit(tx, tutorId, {
      action: 'note_readers_changed',
      at: context.clock.now(),
      metadata: { studentId },
    });
    return getStudentOrThrow(tx, tutorId, studentId);
  });
}

function findContactOrThrow({ contacts }: Student, contactId: number): Contact {
  const contact = contacts.find(({ id }) => id === contactId);
  if (!contact) throw contactNotFound();
  return contact;
}

const contactNotFound = (): AppError => new AppError('not_found', "We couldn't find that contact.");

async function toContactDetails(
  tx: Tx,
  tutorId: string,
  input: Pick<ContactInput, 'name' | 'relationship' | 'phone' | 'email' | 'timeZone'>,
  storedPhone: string | null,
): Promise<ContactDetails> {
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  await assertPhones(tx, tutorId, { phone: { typed: input.phone, stored: storedPhone } });
  return {
    name: input.name,
    relationship: input.relationship || null,
    phone: input.phone ? normalizePhone(input.phone, callingCode) : null,
    email: input.email || null,
    timeZone: input.timeZone ?? null,
  };
}
