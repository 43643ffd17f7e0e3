import { EARLIEST_DATE } from '@lessonbook/contract/dates';
import type { PayersInput } from '@lessonbook/contract/student-contacts-and-payers';
import type { Student } from '@lessonbook/contract/students';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getStudentOrThrow } from '../../students/service/students.ts';
import { hasAdvanceSplitSince, replacePayers } from '../queries/payers.ts';
import { getOrCreateFamilies } from './get-or-create-families.ts';

/** Splits the charges for sessions from a given date. Existing charges remain with their payers. */
export async function setPayers(
  context: Context,
  tutorId: string,
  studentId: number,
  { from, payers }: PayersInput,
): Promise<Student> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { contacts } = await getStudentOrThrow(tx, tutorId, studentId);
    const linkedIds = new Set(contacts.map(({ id }) => id));
    if (!payers.every(({ contactId }) => linkedIds.has(contactId))) {
      const message = "Please add this person to the student's contacts first";
      throw new AppError('invalid', message, { fields: { payers: message } });
    }
    const now = context.clock.now();
    await writePayers(tx, tutorId, studentId, from, payers, now);
    const metadata = { studentId };
    await recordAudit(tx, tutorId, { action: 'payers_changed', at: now, metadata });
    return getStudentOrThrow(tx, tutorId, studentId);
  });
}

/** Makes a contact the only payer of everything that is not charged yet. */
export const setOnlyPayer = (
  tx: Tx,
  tutorId: string,
  studentId: number,
  contactId: number,
  now: Date,
): Promise<void> =>
  writePayers(tx, tutorId, studentId, EARLIEST_DATE, [{ contactId, percent: 100 }], now);

async function writePayers(
  tx: Tx,
  tutorId: string,
  studentId: number,
  from: string,
  payers: readonly { contactId: number; percent: number }[],
  now: Date,
): Promise<void> {
  // The part of a session that is not charged yet, or no longer charged after an invoice is voided, needs the same payers.
  if (await hasAdvanceSplitSince(tx, tutorId, studentId, from)) {
    throw new AppError(
      'conflict',
      'An upcoming lesson is already invoiced and shared between payers. Please choose a later date, or void or credit those invoices first.',
    );
  }
  const contactIds = payers.map(({ contactId }) => contactId);
  const familyIds = await getOrCreateFamilies(tx, tutorId, contactIds, now);
  const rows = payers.map(({ percent }, index) => ({
    familyId: familyIds[index] as number,
    percent,
  }));
  await replacePayers(tx, tutorId, studentId, from, rows);
}
