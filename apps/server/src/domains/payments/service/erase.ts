import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import { replaceSharedLink } from '../../../platform/payment-and-feed-link-tokens.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import {
  eraseEntries,
  eraseFamily,
  familiesForPerson,
  familyIdsWithStudent,
} from '../queries/erase.ts';
import { activeStudentsPaidBy } from '../queries/payers.ts';
import { deleteChargeQueriesOf } from '../queries/questions-about-charges.ts';
import { setOnlyPayer } from './payers.ts';

export interface ErasedAccounts {
  /** The person's own accounts. */
  own: number[];
  /** Other payers' accounts that pay or have paid for the student. */
  shared: number[];
}

/** Removes names and text but keeps the amounts. Replaces the payment link, so that the old one stops working. */
export async function eraseFromPayments(
  context: Context,
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<ErasedAccounts> {
  const accounts = await familiesForPerson(tx, tutorId, person);
  const own = accounts.map(({ id }) => id);
  for (const id of own) {
    await eraseFamily(tx, tutorId, id);
    await replaceSharedLink(tx, tutorId, 'balance', id);
  }
  if (person.kind === 'carer') await replaceErasedPayer(context, tx, tutorId, own);
  const studentId = person.kind === 'student' ? person.id : null;
  await eraseEntries(tx, tutorId, { familyIds: own, studentId });
  await redactTextColumns(tx, tutorId, 'charges', ['description'], person.identifiers);
  await redactTextColumns(tx, tutorId, 'payments', ['note'], person.identifiers);
  await redactTextColumns(tx, tutorId, 'refund_requests', ['note'], person.identifiers);
  await deleteChargeQueriesOf(tx, tutorId, person);
  await redactTextColumns(tx, tutorId, 'charge_queries', ['message', 'answer'], person.identifiers);
  const shared = studentId === null ? [] : await familyIdsWithStudent(tx, tutorId, studentId);
  return { own, shared: shared.filter((id) => !own.includes(id)) };
}

/** The main contact pays instead for active students for whom the erased person was an additional payer. */
async function replaceErasedPayer(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
): Promise<void> {
  const students = await activeStudentsPaidBy(tx, tutorId, familyIds);
  for (const { studentId, contactId } of students)
    await setOnlyPayer(tx, tutorId, studentId, contactId, context.clock.now());
}
