import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { wish } from './plan.ts';

/** Something that a calendar shows may be different now. */
export async function lookAtCalendar(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await wish(context, tx, tutorId);
}
