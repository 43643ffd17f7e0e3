import type { Tx } from '../../../platform/db/database.ts';
import { redactTextColumns } from '../../../platform/db/redact-text-columns.ts';
import type { ErasedPerson } from '../../students/service/erase.ts';
import { deleteMoveRequestsOf } from '../queries/move-requests.ts';

/** Deletes the person's requests to move lessons, and removes their name from those of others. */
export async function eraseFromPortal(
  tx: Tx,
  tutorId: string,
  person: ErasedPerson,
): Promise<void> {
  await deleteMoveRequestsOf(tx, tutorId, person);
  await redactTextColumns(tx, tutorId, 'move_requests', ['message', 'answer'], person.identifiers);
}
