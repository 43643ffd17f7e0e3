import { firstName } from '@lessonbook/contract/first-name';
import {
  PORTAL_NOTES_PAGE,
  type PortalHomework,
  type PortalNotes,
} from '@lessonbook/contract/portal-notes';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { homeworkNotFound, markHomework } from '../../lessons/service/lesson-notes.ts';
import {
  type PortalHomeworkRow,
  portalAccess,
  portalHomework,
  portalHomeworkOf,
  portalNotes,
  portalTutor,
} from '../queries/portal-views.ts';
import { homeworkByContact } from './rate-limits.ts';

/** Both the views and this function leave out students whose notes the person may not see. */
export async function readPortalNotes(
  context: Context,
  contact: Contact,
  { studentId = null, offset }: { studentId?: number | null | undefined; offset: number },
): Promise<PortalNotes> {
  const limit = PORTAL_NOTES_PAGE + 1;
  const [access, [tutor], homework, notes] = await context.db.contactRead(contact, (tx) => [
    portalAccess(tx),
    portalTutor(tx),
    portalHomework(tx, studentId),
    portalNotes(tx, { studentId, limit, offset }),
  ]);
  if (!tutor) throw signedOutError();
  const { name: tutorName, timeZone } = tutor;
  return {
    tutorName,
    today: dateInZone(timeZone, context.clock.now()),
    students: access
      .filter((row) => row.seesNotes && mayReadNotes(contact, row))
      .map((row) => ({ id: row.studentId, name: firstName(row.studentName) }))
      // The same order as in the page header.
      .toSorted((a, b) => a.id - b.id),
    homework: homework
      .filter((row) => mayReadNotes(contact, row))
      .map((row) => toPortalHomework(row, timeZone)),
    notes: notes
      .slice(0, PORTAL_NOTES_PAGE)
      .filter((row) => mayReadNotes(contact, row))
      .map(({ did, nextTime, ...row }) => ({ ...row, did: did ?? '', nextTime: nextTime ?? '' })),
    hasMore: notes.length > PORTAL_NOTES_PAGE,
  };
}

const mayReadNotes = (contact: Contact, { studentId }: { studentId: number }): boolean =>
  contact.students.some(({ id, seesNotes }) => id === studentId && seesNotes);

const toPortalHomework = (
  { doneAt, doneBy, ...row }: PortalHomeworkRow,
  timeZone: string,
): PortalHomework => ({
  ...row,
  done: doneAt && doneBy && { on: dateInZone(timeZone, doneAt), by: doneBy },
});

/** Idempotent. Access is checked with the contact's database privileges, in the same transaction as the change. */
export async function setPortalHomeworkDone(
  context: Context,
  contact: Contact,
  { isDone, ...seat }: { sessionId: number; studentId: number; isDone: boolean },
): Promise<void> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(homeworkByContact, `${tutorId} ${contactId}`);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const [access, [homework]] = await executeAsContact(tx, contact, [
      portalAccess(tx),
      portalHomeworkOf(tx, seat),
    ]);
    if (access.length === 0) throw signedOutError();
    if (!homework || !mayReadNotes(contact, seat)) throw homeworkNotFound();
    await markHomework(tx, tutorId, seat, { isDone, contactId, at: context.clock.now() });
  });
}
