import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import { eraseNotes } from '../../lessons/service/lesson-notes.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { deleteAcceptancesOf } from '../queries/agreements.ts';
import { deleteMoveRequestsOf } from '../queries/move-requests.ts';

/**
 * Deletes the person's notes, requests to move lessons and acceptances, and removes their name from the notes and
 * requests of others.
 */
export async function eraseFromPortal(
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<void> {
  await eraseNotes(tx, tutorId, person);
  await deleteMoveRequestsOf(tx, tutorId, person);
  await deleteAcceptancesOf(tx, tutorId, person);
  await redactTextColumns(tx, tutorId, 'move_requests', ['message', 'answer'], person.identifiers);
}
