import { firstName } from '@lessonbook/contract/first-name';
import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { skipWhileMoving } from '../../../platform/db/tutor-move-write-guards.ts';
import {
  type Contact,
  type ContactLogin,
  signedOutError,
} from '../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { agreementStarts, payingContacts } from '../queries/agreements.ts';
import {
  type DirectoryEntry,
  directoryEntriesByAddress,
  findPortalLoginByToken,
  updatePortalLoginLastSeen,
} from '../queries/contact-directory-and-portal-logins.ts';
import {
  activeAccess,
  contactLogin,
  insertContactLogin,
  updateContactLoginLastSeen,
} from '../queries/contact-logins.ts';
import { withStates } from '../rules/agreement-versions.ts';
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
    visitQueries(tx, login, entry, now),
  );
  if (students.length === 0 || !visit || visit.revokedAt) return null;
  if (isLastSeenStale(visit.lastSeenAt, now))
    await skipWhileMoving(
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
const visitQueries = (
  tx: Tx,
  login: ContactLogin,
  { tutorId, contactId }: DirectoryEntry,
  now: Date,
) =>
  [
    activeAccess(tx, tutorId, contactId, now),
    contactLogin(tx, tutorId, contactId, login.id),
  ] as const;

/** The tutors of the signed-in person, by name. Tutors who revoked this login are left out until the person signs in again. */
export async function readPortalLogin(
  context: Context,
  login: ContactLogin,
  requestContext: Pick<RequestContext, 'userAgent'>,
): Promise<PortalLogin> {
  const entries = await directoryEntriesByAddress(context.db.global, login.addressHash);
  const visits = [];
  for (const entry of entries) visits.push(await visitTutor(context, login, entry, requestContext));
  if (visits.length > 0 && visits.every((visit) => visit === 'revoked')) throw signedOutError();
  const { address, isSharedDevice } = login;
  const tutors = visits
    .filter((visit) => typeof visit === 'object' && visit !== null)
    .toSorted((a, b) => a.tutorName.localeCompare(b.tutorName, 'en'));
  return { address, isSharedDevice, tutors };
}

/** Records that this browser uses the tutor's portal. */
async function visitTutor(
  context: Context,
  login: ContactLogin,
  entry: DirectoryEntry,
  { userAgent }: Pick<RequestContext, 'userAgent'>,
): Promise<PortalTutor | 'revoked' | null> {
  const { db, clock } = context;
  const now = clock.now();
  const { tutorId, contactId, publicId } = entry;
  const [students, [visit], [tutor], versions, [payer]] = await db.tutorRead(tutorId, (tx) => [
    ...visitQueries(tx, login, entry, now),
    tutorQuery(tx, tutorId),
    agreementStarts(tx, tutorId),
    payingContacts(tx, tutorId, now, contactId),
  ]);
  if (visit?.revokedAt) return 'revoked';
  if (students.length === 0) return null;
  if (!visit)
    await skipWhileMoving(
      db.tutorTransactionUnlocked(tutorId, (tx) =>
        insertContactLogin(tx, { tutorId, contactId, loginId: login.id, userAgent, now }),
      ),
    );
  const today = dateInZone(tutor?.timeZone ?? 'UTC', now);
  return {
    publicId,
    tutorName: tutor?.name ?? '',
    studentNames: students.map(({ studentName }) => firstName(studentName)),
    seesMoney: students.some(({ seesMoney }) => seesMoney),
    seesNotes: students.some(({ seesNotes }) => seesNotes),
    asksToAgree: withStates(versions, today).some(
      ({ version, state }) =>
        state !== 'past' && payer?.acceptances.every((each) => each.version !== version),
    ),
  };
}
