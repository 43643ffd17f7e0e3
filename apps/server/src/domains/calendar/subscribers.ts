import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { requestSync } from './service/schedule-sync.ts';

/** Something that a calendar shows may be different now. */
export async function onCalendarDataChanged(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await requestSync(context, tx, tutorId);
}
