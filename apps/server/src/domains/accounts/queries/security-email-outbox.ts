import type { Tx } from '../../../platform/db/database.ts';

export interface NewSecurityEmail {
  tutorId: string;
  id: string;
  kind: string;
  email: string;
  detail: string | null;
  now: Date;
}

export async function insertSecurityEmail(tx: Tx, notice: NewSecurityEmail): Promise<void> {
  await tx
    .insertInto('security_email_outbox')
    .values({
      tutor_id: notice.tutorId,
      id: notice.id,
      kind: notice.kind,
      email: notice.email,
      detail: notice.detail,
      created_at: notice.now,
    })
    .execute();
}

export const securityEmailById = (tx: Tx, tutorId: string, id: string) =>
  tx
    .selectFrom('security_email_outbox')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(['kind', 'email', 'detail', 'created_at as createdAt']);

/** It has gone out: no trace of where somebody logged in is kept for it. */
export async function deleteSecurityEmail(tx: Tx, tutorId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('security_email_outbox')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
