import type { Tx } from '../../../platform/db.ts';
import { dueSessionCount } from '../queries/sessions.ts';

/** How many lessons have ended and wait to be ticked off. */
export const countDue = (tx: Tx, tutorId: string, now: Date): Promise<number> =>
  dueSessionCount(tx, tutorId, now);
