import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { renameSubjectInStudents } from './queries/students.ts';

/** Students refer to subjects by name. */
export async function onSubjectChanged(
  _context: Context,
  tx: Tx,
  { tutorId, previousName, name }: { tutorId: string; previousName: string; name: string },
): Promise<void> {
  if (previousName !== name) await renameSubjectInStudents(tx, tutorId, previousName, name);
}
