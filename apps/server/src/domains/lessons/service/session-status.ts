import type { Tx } from '../../../platform/db/database.ts';
import { updateSessions } from '../queries/sessions.ts';

/** Nothing is to be paid for these any more: a credit note took all of it back. */
export const markUncharged = (tx: Tx, tutorId: string, ids: readonly number[]): Promise<void> =>
  updateSessions(tx, tutorId, ids, { is_billable: false });
