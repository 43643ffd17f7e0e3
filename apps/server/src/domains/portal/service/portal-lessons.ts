import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type {
  PortalLesson,
  PortalLessons,
  PortalMoveRequest,
  PortalStudent,
} from '@lessonbook/contract/portal';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { ContactPrincipal } from '../../../platform/db/set-transaction-principal.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { policyOn } from '../../lessons/service/cancellation-policy.ts';
import {
  type PortalLessonRow,
  type PortalMoveRequestRow,
  portalAccess,
  portalMoveRequests,
  portalPolicies,
  portalTerms,
  portalTutor,
  upcomingPortalLessons,
  usedFreeCancellations,
} from '../queries/portal-views.ts';
import { toPortalStudent } from '../rules/portal-student.ts';
import { type CancellationCostInputs, costOf, moveRequestsFor } from './cancellation-cost.ts';

const MAX_LESSONS = 100;

/** The upcoming lessons. Both the views and this function leave out what the contact may not see. */
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
  const at = context.clock.now();
  const portal = await readViews(context, { tutorId, contactId, loginId: 'preview', at });
  if (!portal)
    throw new AppError('not_found', "This person can't see anything in the family portal yet.");
  return toPortalLessons(portal, portal.access.map(toPortalStudent));
}

/** Null if the contact may not use the portal. */
async function readViews(context: Context, principal: ContactPrincipal) {
  const now = principal.at;
  const [access, [tutor], rows, policies, termRanges, freeCancellationsUsed, requests] =
    await context.db.contactRead(principal, (tx) => [
      portalAccess(tx),
      portalTutor(tx),
      upcomingPortalLessons(tx, now, MAX_LESSONS + 1),
      portalPolicies(tx),
      portalTerms(tx),
      usedFreeCancellations(tx),
      portalMoveRequests(tx, dateInZone('Etc/GMT+12', now)),
    ]);
  const own = access[0];
  if (!own || !tutor) return null;
  const { timeZone } = tutor;
  const costInputs: CancellationCostInputs = {
    policies,
    termRanges,
    freeCancellationsUsed,
    requests,
    timeZone,
    now,
  };
  return { access, own, tutor, rows, costInputs, contactId: principal.contactId };
}

function toPortalLessons(
  { own, tutor, rows, costInputs, contactId }: NonNullable<Awaited<ReturnType<typeof readViews>>>,
  students: readonly PortalStudent[],
): PortalLessons {
  const byId = new Map(students.map((student) => [student.id, student]));
  const { policies, timeZone, now } = costInputs;
  const { illnessNote } = policyOn(policies, dateInZone(timeZone, now));
  return {
    tutorName: tutor.name,
    contactName: firstName(own.contactName),
    tutorTimeZone: tutor.timeZone,
    timeZone: own.timeZone ?? tutor.timeZone,
    students: [...students],
    illnessNote: students.some(({ mayCancel }) => mayCancel) ? illnessNote : null,
    lessons: rows.slice(0, MAX_LESSONS).flatMap((row) => {
      const student = byId.get(row.studentId);
      return student?.seesLessons ? [toPortalLesson(row, student, costInputs, contactId)] : [];
    }),
    hasMore: rows.length > MAX_LESSONS,
  };
}

function toPortalLesson(
  row: PortalLessonRow,
  student: PortalStudent,
  costInputs: CancellationCostInputs,
  contactId: number,
): PortalLesson {
  const { sessionId, studentId, subjectName, date, startTime, endTime, state, isGroup } = row;
  const seesPrice = student.seesMoney || student.mayCancel;
  const requests = moveRequestsFor(row, costInputs.requests);
  const [last] = requests;
  const pending = requests.some(isPending);
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
    cancellation: student.mayCancel ? costOf(row, costInputs) : null,
    mayAskToMove: student.mayRequestMoves && !pending && isMovable(row, costInputs.now),
    moveRequest: last ? toPortalMoveRequest(last, contactId) : null,
  };
}

export const isPending = ({ status }: Pick<PortalMoveRequestRow, 'status'>): boolean =>
  status === 'open' || status === 'suggested';

/** A group cannot be moved for one of its students. */
export const isMovable = ({ state, startsAt, isGroup }: PortalLessonRow, now: Date): boolean =>
  state === 'scheduled' && startsAt > now && !isGroup;

/** Only the person who asked sees the tutor's answer. */
function toPortalMoveRequest(row: PortalMoveRequestRow, contactId: number): PortalMoveRequest {
  const { id, choices, suggestions } = row;
  const isOwn = row.contactId === contactId;
  const status = row.status as PortalMoveRequest['status'];
  return { id, status, choices, suggestions, answer: (isOwn && row.answer) || '', isOwn };
}
