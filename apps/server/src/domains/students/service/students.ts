import { toMinor } from '@lessonbook/contract/money';
import type { PageQuery } from '@lessonbook/contract/schema-fields';
import {
  MAX_STUDENTS,
  type Student,
  type StudentInput,
  studentStatusOn,
} from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { studentArchived, studentSaved } from '../events.ts';
import { copyStudentToOwnContact, phoneOfContact } from '../queries/contacts.ts';
import {
  archiveStudent,
  countUnarchivedStudents,
  insertStudent,
  type StatusColumns,
  studentById,
  studentsByIds,
  termCalendarExists,
  unarchivedStudents,
  unarchivedStudentsPage,
  updateStatus,
  updateStudent,
} from '../queries/students.ts';
import {
  defaultCallingCode,
  findPhoneProblem,
  normalizePhone,
  UK_CALLING_CODE,
} from '../rules/phone.ts';
import { type CarerChange, resolveCarerChange } from '../rules/resolve-carer-from-student-form.ts';
import {
  applyCarerChange,
  getOrCreateOwnContact,
  linkMainContact,
} from './carers-and-contact-records.ts';

export async function listStudents(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Student[]> {
  const [students] = await context.db.tutorRead(tutorId, (tx) => [
    unarchivedStudentsPage(tx, tutorId, page),
  ]);
  return students;
}

export async function addStudent(
  context: Context,
  tutorId: string,
  input: StudentInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const add = async () => {
      await assertStudentLimit(tx, tutorId, 1);
      return (await addStudentInTx(context, tx, tutorId, input)).id;
    };
    // Store only the id with the idempotency key, so that erasing a student leaves no copy of the data.
    return getStudentOrThrow(
      tx,
      tutorId,
      await withIdempotency(tx, tutorId, idempotencyKey, context.clock.now(), add),
    );
  });
}

/** The caller holds the tutor's lock, so no other student is added in between. */
export async function assertStudentLimit(tx: Tx, tutorId: string, added: number): Promise<void> {
  if ((await countUnarchivedStudents(tx, tutorId)) + added <= MAX_STUDENTS) return;
  const limit = MAX_STUDENTS.toLocaleString('en-GB');
  throw new AppError(
    'conflict',
    `You can have up to ${limit} students. Please delete those you no longer teach first.`,
  );
}

/** The caller must call assertStudentLimit first. */
export async function addStudentInTx(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: StudentInput,
): Promise<Student> {
  const now = context.clock.now();
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  const carerChange = resolveCarerChange(input, null, callingCode);
  await assertStudentPhones(tx, tutorId, input, { phone: null, carerChange });
  const carerId = await applyCarerChange(tx, tutorId, carerChange, now);
  const [id] = (await nextIdsForKind(tx, tutorId, 'student')) as [number];
  const termCalendarId = await getTermCalendarId(tx, tutorId, input, null);
  const details = { ...toDetails(input, callingCode, null), termCalendarId };
  const contactId = carerId ?? (await getOrCreateOwnContact(tx, tutorId, { id, ...details }, now));
  await insertStudent(tx, tutorId, { id, publicId: randomToken(), ...details, contactId, now });
  await linkMainContact(tx, tutorId, id, { contactId, previousId: null });
  await context.events.publish(tx, studentSaved, {
    tutorId,
    studentId: id,
    hasNewMainContact: true,
  });
  return getStudentOrThrow(tx, tutorId, id);
}

export const getStudents = (tx: Tx, tutorId: string): Promise<Student[]> =>
  unarchivedStudents(tx, tutorId).execute();

/** Archived students are left out. */
export const getStudentsByIds = (
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<Student[]> => studentsByIds(tx, tutorId, ids).execute();

/** A new main contact pays for everything not yet charged; existing charges remain with the previous payers. */
export async function changeStudent(
  context: Context,
  tutorId: string,
  id: number,
  input: StudentInput,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, (tx) =>
    changeStudentInTx(context, tx, tutorId, id, input),
  );
}

export async function changeStudentInTx(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  input: StudentInput,
): Promise<Student> {
  const student = await getStudentOrThrow(tx, tutorId, id);
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  const carerChange = resolveCarerChange(input, student.carerId, callingCode);
  const { phone } = student;
  await assertStudentPhones(tx, tutorId, input, { phone, carerChange });
  const now = context.clock.now();
  const carerId = await applyCarerChange(tx, tutorId, carerChange, now);
  const termCalendarId = await getTermCalendarId(tx, tutorId, input, student.termCalendarId);
  const details = { ...toDetails(input, callingCode, student.travelFee), termCalendarId };
  const contactId = carerId ?? (await getOrCreateOwnContact(tx, tutorId, { id, ...details }, now));
  await updateStudent(tx, tutorId, id, { ...details, contactId });
  await copyStudentToOwnContact(tx, tutorId, id);
  const previousId = student.contacts.find(({ isMain }) => isMain)?.id ?? null;
  const hasNewMainContact = contactId !== previousId;
  if (hasNewMainContact) await linkMainContact(tx, tutorId, id, { contactId, previousId });
  await context.events.publish(tx, studentSaved, { tutorId, studentId: id, hasNewMainContact });
  return getStudentOrThrow(tx, tutorId, id);
}

async function getTermCalendarId(
  tx: Tx,
  tutorId: string,
  { termCalendarId }: StudentInput,
  current: number | null,
): Promise<number | null> {
  if (termCalendarId === undefined || termCalendarId === current) return current;
  if (termCalendarId !== null && !(await termCalendarExists(tx, tutorId, termCalendarId)))
    throw new AppError('not_found', "We couldn't find those school terms.");
  return termCalendarId;
}

async function assertStudentPhones(
  tx: Tx,
  tutorId: string,
  input: StudentInput,
  { phone, carerChange }: { phone: string | null; carerChange: CarerChange },
): Promise<void> {
  const storedCarerPhone =
    carerChange.kind === 'existing' && carerChange.change.phone
      ? await phoneOfContact(tx, tutorId, carerChange.carerId)
      : null;
  await assertPhones(tx, tutorId, {
    phone: { typed: input.phone, stored: phone },
    carerPhone: { typed: input.carerPhone, stored: storedCarerPhone },
  });
}

/** For an import, which leaves out numbers that cannot be dialled. */
export async function createPhoneValidator(
  tx: Tx,
  tutorId: string,
): Promise<(phone: string) => string | null> {
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  return (phone) => findPhoneProblem(phone, callingCode);
}

/**
 * The number that a person without an account typed, in E.164 format, or what is wrong with it. Their country is unknown, so a
 * number without a country code is read as British.
 */
export function parsePhone(input: string): { number: string } | { problem: string } {
  const problem = findPhoneProblem(input, UK_CALLING_CODE);
  return problem === null ? { number: normalizePhone(input, UK_CALLING_CODE) } : { problem };
}

/** An invalid number that was stored earlier does not prevent other changes. */
export async function assertPhones(
  tx: Tx,
  tutorId: string,
  phones: Record<string, { typed: string | null | undefined; stored: string | null }>,
): Promise<void> {
  const callingCode = defaultCallingCode(await getTimeZone(tx, tutorId));
  const problems = Object.entries(phones).flatMap(([field, { typed, stored }]) => {
    if (!typed || typed === stored || normalizePhone(typed, callingCode) === stored) return [];
    const problem = findPhoneProblem(typed, callingCode);
    return problem ? [[field, problem] as const] : [];
  });
  const [first] = problems;
  if (first) throw new AppError('invalid', first[1], { fields: Object.fromEntries(problems) });
}

/** For `lessons`, which cancels or restores the sessions in the same transaction. */
export const setStudentStatus = (
  tx: Tx,
  tutorId: string,
  id: number,
  status: StatusColumns,
): Promise<void> => updateStatus(tx, tutorId, id, status);

/** Archives the student, so that history and totals remain correct. Subscribers cancel future sessions. */
export async function removeStudent(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.tutorTransaction(tutorId, (tx) => removeStudentInTx(context, tx, tutorId, id));
}

export async function removeStudentInTx(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<void> {
  if (!(await archiveStudent(tx, tutorId, id, context.clock.now()))) throw studentNotFound();
  await context.events.publish(tx, studentArchived, { tutorId, studentId: id });
}

/** Finds active students only. */
export async function getStudentOrThrow(tx: Tx, tutorId: string, id: number): Promise<Student> {
  const [student] = (await tx.executeQuery(studentById(tx, tutorId, id))).rows;
  if (!student) throw studentNotFound();
  return student;
}

/** Finds students who can have lessons. */
export async function getCurrentStudentOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
  today: string,
): Promise<Student> {
  const student = await getStudentOrThrow(tx, tutorId, id);
  if (studentStatusOn(student, today) === 'left') throw studentHasLeftError();
  return student;
}

export const studentHasLeftError = (): AppError =>
  new AppError('conflict', 'This student has left. Please change their status first.');

export const studentNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that student.");

const toDetails = (
  { travelFee, ...input }: StudentInput,
  callingCode: string | null,
  currentTravelFee: number | null,
) => ({
  name: input.name,
  phone: input.phone ? normalizePhone(input.phone, callingCode) : null,
  email: input.email || null,
  subject: input.subject || null,
  notes: input.notes || null,
  school: input.school || null,
  schoolYear: input.schoolYear || null,
  travelFee: travelFee === undefined ? currentTravelFee : toMinorOrNull(travelFee),
});

const toMinorOrNull = (amount: number | null): number | null => (amount ? toMinor(amount) : null);
