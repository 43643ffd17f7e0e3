import type { Tx } from '../../../platform/db/database.ts';

const GOOGLE = 'google';

export async function findTutorByGoogleSubject(
  tx: Tx,
  subject: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('identities')
    .where('provider', '=', GOOGLE)
    .where('subject', '=', subject)
    .select('tutor_id as tutorId')
    .executeTakeFirst();
  return row?.tutorId;
}

export async function insertIdentity(
  tx: Tx,
  identity: {
    id: string;
    subject: string;
    tutorId: string;
    now: Date;
    ownerNotifiedAt: Date | null;
  },
): Promise<void> {
  await tx
    .insertInto('identities')
    .values({
      provider: GOOGLE,
      subject: identity.subject,
      id: identity.id,
      tutor_id: identity.tutorId,
      created_at: identity.now,
      owner_notified_at: identity.ownerNotifiedAt,
    })
    .execute();
}

/** The oldest first; normally there is at most one. */
export const identitiesOf = (tx: Tx, tutorId: string) =>
  tx
    .selectFrom('identities')
    .where('tutor_id', '=', tutorId)
    .orderBy('created_at')
    .select('created_at as createdAt');

/** Returns whether any were deleted. */
export async function deleteIdentities(tx: Tx, tutorId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('identities')
    .where('tutor_id', '=', tutorId)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

export async function listUnnotifiedIdentityIds(tx: Tx, tutorId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('identities')
    .where('tutor_id', '=', tutorId)
    .where('owner_notified_at', 'is', null)
    .select('id')
    .execute();
  return rows.map((row) => row.id);
}

/** Undefined if the owner has already been notified or the identity has been unlinked. */
export async function findUnnotifiedIdentity(tx: Tx, id: string) {
  return tx
    .selectFrom('identities')
    .innerJoin('login_directory', 'login_directory.tutor_id', 'identities.tutor_id')
    .where('identities.id', '=', id)
    .where('identities.owner_notified_at', 'is', null)
    .select(['identities.id', 'login_directory.email'])
    .executeTakeFirst();
}

export async function markOwnerNotified(tx: Tx, id: string, now: Date): Promise<void> {
  await tx.updateTable('identities').set({ owner_notified_at: now }).where('id', '=', id).execute();
}
