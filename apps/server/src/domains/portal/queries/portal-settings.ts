import type { Tx } from '../../../platform/db/database.ts';

export const portalState = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('tutors')
    .where('tutor_id', '=', tutorId)
    .select(['portal_opened_at as openedAt', 'note_email_hour as noteEmailHour']);

export async function updateNoteEmailHour(
  tx: Tx,
  tutorId: string,
  hour: number | null,
): Promise<void> {
  await tx
    .updateTable('tutors')
    .set({ note_email_hour: hour })
    .where('tutor_id', '=', tutorId)
    .execute();
}

export async function setPortalOpenedAt(
  tx: Tx,
  tutorId: string,
  openedAt: Date | null,
): Promise<void> {
  await tx
    .updateTable('tutors')
    .set({ portal_opened_at: openedAt })
    .where('tutor_id', '=', tutorId)
    .execute();
}
