import { firstName } from '@lessonbook/contract/first-name';
import type { PortalLogin, PortalTutor } from '@lessonbook/contract/portal';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { skipIfMoving } from '../../../platform/db/tutor-move-write-guards.ts';
import { type ContactLogin, signedOutError } from '../../../platform/http/authentication.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { agreementStarts, payingContacts } from '../queries/agreements.ts';
import {
  type DirectoryEntry,
  directoryEntriesByAddress,
} from '../queries/contact-directory-and-portal-logins.ts';
import { insertContactLogin } from '../queries/contact-logins.ts';
import { withStates } from '../rules/agreement-versions.ts';
import { contactVisitQueries } from './find-signed-in-contact.ts';

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
    ...contactVisitQueries(tx, login, entry, now),
    tutorQuery(tx, tutorId),
    agreementStarts(tx, tutorId),
    payingContacts(tx, tutorId, now, contactId),
  ]);
  if (visit?.revokedAt) return 'revoked';
  if (students.length === 0) return null;
  if (!visit)
    await skipIfMoving(
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
    hasAgreementToAccept: withStates(versions, today).some(
      ({ version, state }) =>
        state !== 'past' && payer?.acceptances.every((each) => each.version !== version),
    ),
  };
}
