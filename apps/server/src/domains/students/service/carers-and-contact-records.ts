import type { PageQuery } from '@lessonbook/contract/schema-fields';
import type { Carer, ContactAccess } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { nextIdsForKind } from '../../../platform/db/tutor-scoped-ids.ts';
import {
  type ContactDetails,
  carersPage,
  carersWithStudents,
  deleteAccess,
  findOwnContactId,
  hasCarer,
  insertContact,
  setAccess,
  updateContact,
} from '../queries/contacts.ts';
import type { CarerChange } from '../rules/resolve-carer-from-student-form.ts';

export async function listCarers(
  context: Context,
  tutorId: string,
  page: PageQuery,
): Promise<Carer[]> {
  const [carers] = await context.db.tutorRead(tutorId, (tx) => [carersPage(tx, tutorId, page)]);
  return carers;
}

export const getCarers = (tx: Tx, tutorId: string): Promise<Carer[]> =>
  carersWithStudents(tx, tutorId).execute();

/** Returns the id of the student's carer. */
export async function applyCarerChange(
  tx: Tx,
  tutorId: string,
  carerChange: CarerChange,
  now: Date,
): Promise<number | null> {
  if (carerChange.kind === 'none') return null;
  if (carerChange.kind === 'missing_name')
    throw new AppError('invalid', CARER_NAME_REQUIRED, {
      fields: { carerName: CARER_NAME_REQUIRED },
    });
  if (carerChange.kind === 'new')
    return createContact(tx, tutorId, { ...carerChange.carer, timeZone: null }, null, now);
  await assertCarerExists(tx, tutorId, carerChange.carerId);
  if (Object.keys(carerChange.change).length > 0)
    await updateContact(tx, tutorId, carerChange.carerId, carerChange.change);
  return carerChange.carerId;
}

const CARER_NAME_REQUIRED = 'Carer name is required';

async function assertCarerExists(tx: Tx, tutorId: string, id: number): Promise<void> {
  if (!(await hasCarer(tx, tutorId, id)))
    throw new AppError('not_found', "We couldn't find that carer.");
}

export async function createContact(
  tx: Tx,
  tutorId: string,
  details: ContactDetails,
  studentId: number | null,
  now: Date,
): Promise<number> {
  const [id] = (await nextIdsForKind(tx, tutorId, 'contact')) as [number];
  await insertContact(tx, tutorId, { id, publicId: randomToken(), studentId, ...details, now });
  return id;
}

/** Returns the id of the student's own contact record, and creates the record if it is missing. */
export async function getOrCreateOwnContact(
  tx: Tx,
  tutorId: string,
  student: { id: number; name: string; phone: string | null; email: string | null },
  now: Date,
): Promise<number> {
  const existing = await findOwnContactId(tx, tutorId, student.id);
  if (existing !== null) return existing;
  const { id, name, phone, email } = student;
  const details = { name, phone, email, relationship: null, timeZone: null };
  return createContact(tx, tutorId, details, id, now);
}

export const fullAccess = (allowed: boolean): ContactAccess => ({
  seesLessons: allowed,
  seesPlace: allowed,
  seesNotes: allowed,
  seesMoney: allowed,
  mayCancel: allowed,
  mayRequestMoves: allowed,
});

/** The main contact may see everything; the previous one is unlinked. */
export async function linkMainContact(
  tx: Tx,
  tutorId: string,
  studentId: number,
  { contactId, previousId }: { contactId: number; previousId: number | null },
): Promise<void> {
  if (previousId !== null) await deleteAccess(tx, tutorId, { contactId: previousId, studentId });
  await setAccess(tx, tutorId, { contactId, studentId }, fullAccess(true));
}

/** Null means the tutor's time zone. */
export const setContactTimeZone = (
  tx: Tx,
  tutorId: string,
  contactId: number,
  timeZone: string | null,
): Promise<void> => updateContact(tx, tutorId, contactId, { timeZone });
