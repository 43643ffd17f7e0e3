import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { skipIfMoving } from '../../../platform/db/tutor-move-write-guards.ts';
import { type Contact, type ContactLogin } from '../../../platform/http/authentication.ts';
import { activeContactAccess } from '../queries/contact-access.ts';
import {
  type DirectoryEntry,
  directoryEntriesByAddress,
  findPortalLoginByToken,
  updatePortalLoginLastSeen,
} from '../queries/contact-directory-and-portal-logins.ts';
import { contactLogin, updateContactLoginLastSeen } from '../queries/contact-logins.ts';
import { toPortalStudent } from '../rules/portal-student.ts';
import { isLastSeenStale, portalLoginExpiry } from '../rules/sign-in.ts';

/** Resolves the cookie of the portal; runs on every request of a family. */
export async function findContactLogin(
  context: Context,
  token: string,
): Promise<ContactLogin | null> {
  const { db, clock } = context;
  const now = clock.now();
  const row = await findPortalLoginByToken(db.global, sha256(token), now);
  if (!row) return null;
  const { loginId: id, addressHash, address, isSharedDevice } = row;
  const found: ContactLogin = { id, addressHash, address, isSharedDevice };
  if (!isLastSeenStale(row.lastSeenAt, now)) return found;
  const extendedUntil = portalLoginExpiry(isSharedDevice, now);
  await updatePortalLoginLastSeen(db.global, row.tokenHash, now, extendedUntil);
  return isSharedDevice ? found : { ...found, extendedUntil };
}

/** The signed-in person as the contact of one tutor; null if they may not use that tutor's portal. */
export async function findContact(
  context: Context,
  login: ContactLogin,
  publicId: string,
): Promise<Contact | null> {
  const { db, clock } = context;
  const entries = await directoryEntriesByAddress(db.global, login.addressHash);
  const entry = entries.find((each) => each.publicId === publicId);
  if (!entry) return null;
  const { tutorId, contactId } = entry;
  const now = clock.now();
  const [students, [visit]] = await db.tutorRead(tutorId, (tx) =>
    contactVisitQueries(tx, login, entry, now),
  );
  if (students.length === 0 || !visit || visit.revokedAt) return null;
  if (isLastSeenStale(visit.lastSeenAt, now))
    await skipIfMoving(
      db.tutorTransactionUnlocked(tutorId, (tx) =>
        updateContactLoginLastSeen(tx, tutorId, contactId, login.id, now),
      ),
    );
  return {
    tutorId,
    contactId,
    loginId: login.id,
    at: now,
    students: students.map(toPortalStudent),
  };
}

/** What the contact may see, and what this browser has seen of the tutor's portal so far. */
export const contactVisitQueries = (
  tx: Tx,
  login: ContactLogin,
  { tutorId, contactId }: DirectoryEntry,
  now: Date,
) =>
  [
    activeContactAccess(tx, tutorId, contactId, now),
    contactLogin(tx, tutorId, contactId, login.id),
  ] as const;
