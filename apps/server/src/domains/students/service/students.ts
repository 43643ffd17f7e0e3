import type { Student, StudentInput } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import { randomToken } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { studentArchived, studentSaved } from '../events.ts';
import {
  archiveStudent,
  insertStudent,
  liveStudent,
  liveStudents,
  updateStudent,
} from '../queries/students.ts';
import { byName } from '../rules/by-name.ts';
import { planCarer } from '../rules/carer.ts';
import { callingCodeOf, storedPhone } from '../rules/phone.ts';
import { settleCarer } from './carers.ts';

export async function listStudents(context: Context, tutorId: string): Promise<Student[]> {
  const [students] = await context.db.readTutor(tutorId, (tx) => [liveStudents(tx, tutorId)]);
  return students.toSorted(byName);
}

export async function addStudent(
  context: Context,
  tutorId: string,
  input: StudentInput,
  repeat: Repeatable | null,
): Promise<Student> {
  return context.db.withTutor(tutorId, async (tx) => {
    const add = async () => (await addStudentIn(context, tx, tutorId, input)).id;
    // What is kept for a repeat is the id alone: a person who is erased stands nowhere else.
    return studentInBook(tx, tutorId, await once(tx, tutorId, repeat, context.clock.now(), add));
  });
}

/** The same inside a transaction that adds several. */
export async function addStudentIn(
  context: Context,
  tx: Tx,
  tutorId: string,
  input: StudentInput,
): Promise<Student> {
  const now = context.clock.now();
  const callingCode = callingCodeOf(await timeZoneOf(tx, tutorId));
  const carerId = await settleCarer(tx, tutorId, planCarer(input, null, callingCode), now);
  const [id] = (await takeIds(tx, tutorId, 'student')) as [number];
  const details = { ...detailsOf(input, callingCode), carerId };
  await insertStudent(tx, tutorId, { id, publicId: randomToken(), ...details, now });
  await context.events.publish(tx, studentSaved, { tutorId, studentId: id });
  return studentInBook(tx, tutorId, id);
}

/** All who are taught, asked inside a transaction. */
export const studentsIn = (tx: Tx, tutorId: string): Promise<Student[]> =>
  liveStudents(tx, tutorId).execute();

/** Another carer pays from now on; what was charged before stays with the one before. */
export async function changeStudent(
  context: Context,
  tutorId: string,
  id: number,
  input: StudentInput,
): Promise<Student> {
  return context.db.withTutor(tutorId, async (tx) => {
    const student = await studentInBook(tx, tutorId, id);
    const callingCode = callingCodeOf(await timeZoneOf(tx, tutorId));
    const plan = planCarer(input, student.carerId, callingCode);
    const carerId = await settleCarer(tx, tutorId, plan, context.clock.now());
    await updateStudent(tx, tutorId, id, { ...detailsOf(input, callingCode), carerId });
    await context.events.publish(tx, studentSaved, { tutorId, studentId: id });
    return studentInBook(tx, tutorId, id);
  });
}

/** Archived, so that history and totals stay right; whoever hears of it takes care of the lessons to come. */
export async function removeStudent(context: Context, tutorId: string, id: number): Promise<void> {
  await context.db.withTutor(tutorId, async (tx) => {
    if (!(await archiveStudent(tx, tutorId, id, context.clock.now()))) throw noSuchStudent();
    await context.events.publish(tx, studentArchived, { tutorId, studentId: id });
  });
}

/** One who is still taught, with the carer; for whatever is about to be written down about the student. */
export async function studentInBook(tx: Tx, tutorId: string, id: number): Promise<Student> {
  const student = await liveStudent(tx, tutorId, id);
  if (!student) throw noSuchStudent();
  return student;
}

const noSuchStudent = (): AppError =>
  new AppError('not_found', 'That student is not in your book.');

const detailsOf = (input: StudentInput, callingCode: string | null) => ({
  name: input.name,
  phone: input.phone ? storedPhone(input.phone, callingCode) : null,
  email: input.email || null,
  subject: input.subject || null,
  notes: input.notes || null,
});
