import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { PortalLesson, PortalLessons, PortalStudent } from '@lessonbook/contract/portal';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { ContactPrincipal } from '../../../platform/db/principal.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import {
  type PortalLessonRow,
  portalAccess,
  portalTutor,
  upcomingPortalLessons,
} from '../queries/portal-views.ts';
import { toPortalStudent } from '../rules/portal-student.ts';

const MAX_LESSONS = 100;

/** What the contact sees of the coming lessons. Both the views and this function leave out what they may not see. */
export async function readPortalLessons(
  context: Context,
  contact: Contact,
): Promise<PortalLessons> {
  const portal = await readViews(context, contact);
  if (!portal) throw signedOutError();
  return toPortalLessons(portal, contact.students);
}

/** The portal as this contact would see it if it were open. */
export async function previewPortalLessons(
  context: Context,
  tutorId: string,
  contactId: number,
): Promise<PortalLessons> {
  const portal = await readViews(context, { tutorId, contactId, loginId: 'preview' });
  if (!portal)
    throw new AppError('not_found', "This person can't see anything in the family portal yet.");
  return toPortalLessons(portal, portal.access.map(toPortalStudent));
}

/** Null if the contact may not use the portal. */
async function readViews(context: Context, principal: ContactPrincipal) {
  const now = context.clock.now();
  const [access, [tutor], rows] = await context.db.contactRead(principal, (tx) => [
    portalAccess(tx),
    portalTutor(tx),
    upcomingPortalLessons(tx, now, MAX_LESSONS + 1),
  ]);
  const own = access[0];
  return own && tutor ? { access, own, tutor, rows } : null;
}

function toPortalLessons(
  { own, tutor, rows }: NonNullable<Awaited<ReturnType<typeof readViews>>>,
  students: readonly PortalStudent[],
): PortalLessons {
  const byId = new Map(students.map((student) => [student.id, student]));
  return {
    tutorName: tutor.name,
    contactName: firstName(own.contactName),
    tutorTimeZone: tutor.timeZone,
    timeZone: own.timeZone ?? tutor.timeZone,
    students: [...students],
    lessons: rows.slice(0, MAX_LESSONS).flatMap((row) => {
      const student = byId.get(row.studentId);
      return student?.seesLessons ? [toPortalLesson(row, student)] : [];
    }),
    hasMore: rows.length > MAX_LESSONS,
  };
}

function toPortalLesson(row: PortalLessonRow, student: PortalStudent): PortalLesson {
  const { sessionId, studentId, subjectName, date, startTime, endTime, state, isGroup } = row;
  const seesPrice = student.seesMoney || student.mayCancel;
  return {
    sessionId,
    studentId,
    studentName: student.name,
    subjectName,
    date,
    startTime,
    endTime,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    state,
    isGroup,
    place: student.seesPlace ? row.place : null,
    price:
      seesPrice && row.fee !== null
        ? { amount: row.fee, currency: row.currency as Currency }
        : null,
  };
}
