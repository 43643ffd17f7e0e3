import type { Tx } from '../../../platform/db/database.ts';

/* Global tables, which are searched before the tutor is known. */

/** One person at one tutor, found by an email address or a phone number. */
export interface DirectoryEntry {
  tutorId: string;
  contactId: number;
  publicId: string;
}

/** More tutors than any person has, so that an address on file with very many tutors does not cause many reads. */
const MAX_TUTORS = 20;

/** Leaves out tutors who have moved to another installation; the family's other tutors are not affected. */
export const directoryEntriesByAddress = (tx: Tx, addressHash: Buffer): Promise<DirectoryEntry[]> =>
  tx
    .selectFrom('contact_directory')
    .where('address_hash', '=', addressHash)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('tutor_moves')
            .whereRef('tutor_moves.tutor_id', '=', 'contact_directory.tutor_id')
            .where('tutor_moves.state', 'in', ['copied', 'moved'])
            .select('tutor_moves.move_id'),
        ),
      ),
    )
    .orderBy('public_id')
    .limit(MAX_TUTORS)
    .select(['tutor_id as tutorId', 'contact_id as contactId', 'public_id as publicId'])
    .execute();

export interface PortalLoginRow {
  loginId: string;
  tokenHash: Buffer;
  addressHash: Buffer;
  address: string;
  isSharedDevice: boolean;
  userAgent: string;
  createdAt: Date;
  lastSeenAt: Date;
}

const LOGIN_COLUMNS = [
  'public_id as loginId',
  'token_hash as tokenHash',
  'address_hash as addressHash',
  'address',
  'is_shared_device as isSharedDevice',
  'user_agent as userAgent',
  'created_at as createdAt',
  'last_seen_at as lastSeenAt',
] as const;

export async function insertPortalLogin(
  tx: Tx,
  login: PortalLoginRow & { expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('portal_logins')
    .values({
      token_hash: login.tokenHash,
      public_id: login.loginId,
      address_hash: login.addressHash,
      address: login.address,
      is_shared_device: login.isSharedDevice,
      user_agent: login.userAgent,
      created_at: login.createdAt,
      last_seen_at: login.lastSeenAt,
      expires_at: login.expiresAt,
    })
    .execute();
}

export const findPortalLoginByToken = (
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
): Promise<PortalLoginRow | undefined> =>
  tx
    .selectFrom('portal_logins')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .select(LOGIN_COLUMNS)
    .executeTakeFirst();

export const portalLoginsByAddress = (
  tx: Tx,
  addressHash: Buffer,
  now: Date,
): Promise<PortalLoginRow[]> =>
  tx
    .selectFrom('portal_logins')
    .where('address_hash', '=', addressHash)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .select(LOGIN_COLUMNS)
    .execute();

export async function updatePortalLoginLastSeen(
  tx: Tx,
  tokenHash: Buffer,
  now: Date,
  expiresAt: Date,
): Promise<void> {
  await tx
    .updateTable('portal_logins')
    .set({ last_seen_at: now, expires_at: expiresAt })
    .where('token_hash', '=', tokenHash)
    .execute();
}

/** The browser has verified both addresses. */
export async function updatePortalLoginAddress(
  tx: Tx,
  loginId: string,
  { address, addressHash }: { address: string; addressHash: Buffer },
): Promise<void> {
  await tx
    .updateTable('portal_logins')
    .set({ address, address_hash: addressHash })
    .where('public_id', '=', loginId)
    .execute();
}

/** Returns whether there was such a login. */
export async function deletePortalLogin(
  tx: Tx,
  addressHash: Buffer,
  loginId: string,
): Promise<boolean> {
  const result = await tx
    .deleteFrom('portal_logins')
    .where('address_hash', '=', addressHash)
    .where('public_id', '=', loginId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Deletes all but the most recently used logins of an address. */
export async function deleteLeastRecentPortalLogins(
  tx: Tx,
  addressHash: Buffer,
  keep: number,
): Promise<void> {
  await tx
    .deleteFrom('portal_logins')
    .where('token_hash', 'in', (eb) =>
      eb
        .selectFrom('portal_logins')
        .where('address_hash', '=', addressHash)
        .orderBy('last_seen_at', 'desc')
        .offset(keep)
        .select('token_hash'),
    )
    .execute();
}

/** Undefined if the login has ended. */
export async function findPortalLoginAddress(tx: Tx, loginId: string): Promise<string | undefined> {
  const login = await tx
    .selectFrom('portal_logins')
    .where('public_id', '=', loginId)
    .select('address')
    .executeTakeFirst();
  return login?.address;
}

export const findUnnotifiedLogin = (tx: Tx, loginId: string) =>
  tx
    .selectFrom('portal_logins')
    .where('public_id', '=', loginId)
    .where('notified_at', 'is', null)
    .select(['address', 'address_hash as addressHash', 'user_agent as userAgent'])
    .executeTakeFirst();

export async function markLoginNotified(tx: Tx, loginId: string, now: Date): Promise<void> {
  await tx
    .updateTable('portal_logins')
    .set({ notified_at: now })
    .where('public_id', '=', loginId)
    .execute();
}

export async function deleteExpiredPortalRecords(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('portal_codes').where('expires_at', '<=', now).execute();
  // The second condition is true if the person was erased or no tutor has the address on file any more.
  await tx
    .deleteFrom('portal_logins')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<=', now),
        eb.not(
          eb.exists(
            eb
              .selectFrom('contact_directory')
              .whereRef('contact_directory.address_hash', '=', 'portal_logins.address_hash')
              .select('contact_id'),
          ),
        ),
      ]),
    )
    .execute();
}
