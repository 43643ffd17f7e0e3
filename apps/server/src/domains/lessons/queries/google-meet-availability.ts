import type { Tx } from '../../../platform/db/database.ts';

/** Whether Google Calendar is connected through an account that is not known to disallow Google Meet. */
export async function canUseGoogleMeet(tx: Tx, tutorId: string): Promise<boolean> {
  const connection = await tx
    .selectFrom('calendar_connections')
    .where('tutor_id', '=', tutorId)
    .where('encrypted_token', 'is not', null)
    .where('allows_google_meet', 'is distinct from', false)
    .select('tutor_id')
    .executeTakeFirst();
  return connection !== undefined;
}
