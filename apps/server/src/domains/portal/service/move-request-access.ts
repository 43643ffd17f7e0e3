import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { findMoveRequest, type MoveRequestRow } from '../queries/move-requests.ts';
import { portalAccess, portalMoveRequestById } from '../queries/portal-views.ts';

/** Returns a request made by this person, if both the views and the application's own check allow it. */
export async function authoriseRequest(
  tx: Tx,
  contact: Contact,
  id: number,
): Promise<MoveRequestRow & { mayRequestMoves: boolean }> {
  const { tutorId, contactId, students } = contact;
  const [access, [visible]] = await executeAsContact(tx, contact, [
    portalAccess(tx),
    portalMoveRequestById(tx, id),
  ]);
  if (access.length === 0) throw signedOutError();
  const request =
    visible?.contactId === contactId ? await findMoveRequest(tx, tutorId, id) : undefined;
  const student = students.find((each) => each.id === request?.studentId);
  if (!request || request.contactId !== contactId || !student?.seesLessons)
    throw moveRequestNotFound();
  const allowed = access.find(({ studentId }) => studentId === request.studentId);
  return {
    ...request,
    mayRequestMoves: student.mayRequestMoves && allowed?.mayRequestMoves === true,
  };
}

export const moveRequestNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that request.");
