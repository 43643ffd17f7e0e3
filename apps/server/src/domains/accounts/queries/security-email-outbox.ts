import type { Tx } from '../../../platform/db/database.ts';

export interface NewSecurityEmail {
  tutorId: string;
  id: string;
  kind: string;
  address: string;
  detail: string | null;
  now: Date;
}

export async function insertSecurityEmail(tx: Tx, email: NewSecurityEmail): Promise<void> {
  await tx
    .insertInto('security_email_outbox')
    .values({
      tutor_id: email.tutorId,
      id: email.id,
      kind: email.kind,
      email: email.address,
      detail: email.detail,
      created_at: email.now,
    })
    .execute();
}

export const securityEmailById = (tx: Tx, tutorId: string, id: string) =>
  tx
    .selectFrom('security_email_outbox')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .select(['kind', 'email as address', 'detail', 'created_at as createdAt']);

export async function listSecurityEmailIds(tx: Tx, tutorId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('security_email_outbox')
    .where('tutor_id', '=', tutorId)
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Called after sending. The row may name the device used to log in, which is not kept longer than needed. */
export async function deleteSecurityEmail(tx: Tx, tutorId: string, id: string): Promise<void> {
  await tx
    .deleteFrom('security_email_outbox')
    .where('tutor_id', '=', tutorId)
    .where('id', '=', id)
    .execute();
}
