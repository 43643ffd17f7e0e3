import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { requestSync } from './service/schedule-sync.ts';

/** Called when data shown in the tutor's calendar may have changed. */
export async function onCalendarDataChanged(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await requestSync(context, tx, tutorId);
}
