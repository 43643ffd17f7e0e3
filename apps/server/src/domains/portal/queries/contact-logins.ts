import type { Tx } from '../../../platform/db/database.ts';

export const contactLogin = (tx: Tx, tutorId: string, contactId: number, loginId: string) =>
  tx
    .selectFrom('contact_logins')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', contactId)
    .where('login_id', '=', loginId)
    .select(['revoked_at as revokedAt', 'last_seen_at as lastSeenAt']);

export async function insertContactLogin(
  tx: Tx,
  login: { tutorId: string; contactId: number; loginId: string; userAgent: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('contact_logins')
    .values({
      tutor_id: login.tutorId,
      contact_id: login.contactId,
      login_id: login.loginId,
      user_agent: login.userAgent,
      first_seen_at: login.now,
      last_seen_at: login.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function updateContactLoginLastSeen(
  tx: Tx,
  tutorId: string,
  contactId: number,
  loginId: string,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('contact_logins')
    .set({ last_seen_at: now })
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', contactId)
    .where('login_id', '=', loginId)
    .execute();
}

export const activeContactLogins = (tx: Tx, tutorId: string, contactId: number, since: Date) =>
  tx
    .selectFrom('contact_logins')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', contactId)
    .where('revoked_at', 'is', null)
    .where('last_seen_at', '>', since)
    .orderBy('last_seen_at', 'desc')
    .select([
      'login_id as loginId',
      'user_agent as userAgent',
      'first_seen_at as firstSeenAt',
      'last_seen_at as lastSeenAt',
    ]);

/** Newest first, including browsers that are no longer signed in. */
export const latestContactLogins = (tx: Tx, tutorId: string, contactId: number, limit: number) =>
  tx
    .selectFrom('contact_logins')
    .where('tutor_id', '=', tutorId)
    .where('contact_id', '=', contactId)
    .orderBy('first_seen_at', 'desc')
    .orderBy('login_id')
    .limit(limit)
    .select(['user_agent as userAgent', 'first_seen_at as firstSeenAt']);

/** If `contactId` is omitted, the logins of all contacts are revoked. */
export async function revokeContactLogins(
  tx: Tx,
  tutorId: string,
  now: Date,
  contactId?: number,
): Promise<void> {
  await tx
    .updateTable('contact_logins')
    .set({ revoked_at: now })
    .where('tutor_id', '=', tutorId)
    .where('revoked_at', 'is', null)
    .$if(contactId !== undefined, (query) => query.where('contact_id', '=', contactId as number))
    .execute();
}
