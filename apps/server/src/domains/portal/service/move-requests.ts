import { addDaysToDate } from '@lessonbook/contract/dates';
import { firstName } from '@lessonbook/contract/first-name';
import type { FreeTimes, LessonStart, MoveRequestInput } from '@lessonbook/contract/move-requests';
import type { PortalStudent } from '@lessonbook/contract/portal';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { scheduleWork } from '../../../platform/queue/tenant-schedule.ts';
import {
  endTimeIfMovedTo,
  getFreeTimes,
  toInstants,
} from '../../lessons/service/free-times-and-conflicts.ts';
import { openScheduleTx, type ScheduleTx } from '../../lessons/service/schedule-transaction.ts';
import { moveRequested, suggestionsDeclined } from '../events.ts';
import { MOVE_REQUESTS_WORK } from '../job-types.ts';
import { insertMoveRequest, updateMoveRequest } from '../queries/move-requests.ts';
import {
  type PortalLessonRow,
  portalAccess,
  portalLessonsById,
  portalMoveRequests,
} from '../queries/portal-views.ts';
import { toPortalStudent } from '../rules/portal-student.ts';
import { lessonNotFound } from './cancel-lessons.ts';
import { moveRequestsFor } from './cancellation-cost.ts';
import { authoriseRequest } from './move-request-access.ts';
import { toEventData } from './move-request-event.ts';
import { isMovable, isPending } from './portal-lessons.ts';
import { moveRequestsByContact } from './rate-limits.ts';

const MAX_DAYS_AHEAD = 366;

type Seat = Pick<MoveRequestInput, 'sessionId' | 'studentId'>;

/** Times at which the tutor is free, for a lesson that this person may ask to move. */
export async function readFreeTimes(
  context: Context,
  contact: Contact,
  seat: Seat,
): Promise<FreeTimes> {
  return context.db.tutorSnapshot(contact.tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, contact.tutorId);
    const { row } = await authoriseSeat(schedule, contact, seat);
    return getFreeTimes(schedule, row);
  });
}

/**
 * Does not move the lesson. Access is checked with the contact's database privileges, in the transaction that saves
 * the request.
 */
export async function askToMove(
  context: Context,
  contact: Contact,
  input: MoveRequestInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ id: number }> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(moveRequestsByContact, `${tutorId} ${contactId}`);
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const schedule = await openScheduleTx(context, tx, tutorId);
    const { now } = schedule;
    return withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const { row, contactName, hasPending } = await authoriseSeat(schedule, contact, input);
      if (hasPending)
        throw new AppError(
          'conflict',
          "There's already a request to move this lesson. You can ask again once it has been answered or withdrawn.",
        );
      assertChoices(schedule, row, input.choices);
      const { sessionId, studentId, date, startTime, startsAt } = row;
      const { choices } = input;
      const id = await insertMoveRequest(tx, tutorId, {
        contactId,
        sessionId,
        studentId,
        date,
        startTime,
        choices,
        message: input.message || null,
        at: now,
      });
      await scheduleWork(tx, tutorId, MOVE_REQUESTS_WORK, startsAt);
      await context.events.publish(tx, moveRequested, {
        ...toEventData(tutorId, { ...row, id, contactId, contactName }),
        choices,
      });
      await recordAudit(tx, tutorId, {
        action: 'move_requested_by_family',
        at: now,
        metadata: { contactId },
        omitRequestContext: true,
      });
      return { id };
    });
  });
}

/** Returns the seat, if both the views and the application's own check allow this person to ask for another time. */
async function authoriseSeat(
  { tx, now, today }: ScheduleTx,
  contact: Contact,
  seat: Seat,
): Promise<{ row: PortalLessonRow; contactName: string; hasPending: boolean }> {
  const [access, rows, requests] = await executeAsContact(tx, contact, [
    portalAccess(tx),
    portalLessonsById(tx, [seat.sessionId]),
    portalMoveRequests(tx, today),
  ]);
  const [own] = access;
  if (!own) throw signedOutError();
  const row = rows.find(({ studentId }) => studentId === seat.studentId);
  const student = access.find(({ studentId }) => studentId === seat.studentId);
  if (!row || !student || !bothAllowMoveRequests(toPortalStudent(student), contact))
    throw lessonNotFound();
  if (row.isGroup)
    throw new AppError('conflict', "Group lessons can't be moved here. Please contact your tutor.");
  if (!isMovable(row, now))
    throw new AppError(
      'conflict',
      `${firstName(row.studentName)}'s lesson has already started or been cancelled. Please check your lessons.`,
    );
  const hasPending = moveRequestsFor(row, requests).some(isPending);
  return { row, contactName: own.contactName, hasPending };
}

const bothAllowMoveRequests = (student: PortalStudent, contact: Contact): boolean =>
  student.mayRequestMoves &&
  student.seesLessons &&
  contact.students.some(
    ({ id, mayRequestMoves, seesLessons }) => id === student.id && mayRequestMoves && seesLessons,
  );

/** The tutor need not be free at the chosen times, because the tutor decides whether to accept them. */
function assertChoices(
  { timeZone, now, today }: ScheduleTx,
  lesson: PortalLessonRow,
  choices: readonly LessonStart[],
): void {
  const fail = (message: string): never => {
    throw new AppError('invalid', message, { fields: { choices: message } });
  };
  if (new Set(choices.map(({ date, startTime }) => `${date} ${startTime}`)).size < choices.length)
    fail('Please choose two different times.');
  for (const { date, startTime } of choices) {
    const endTime = endTimeIfMovedTo(lesson, startTime);
    if (endTime === null)
      return fail('The lesson would run past midnight. Please choose an earlier time.');
    if (date === lesson.date && startTime === lesson.startTime)
      fail('The lesson is already at that time.');
    if (toInstants(timeZone, { date, startTime, endTime }).startsAt <= now)
      fail('Please choose a time in the future.');
    if (date > addDaysToDate(today, MAX_DAYS_AHEAD))
      fail('Please choose a time within the next year.');
  }
}

/** Withdrawing twice changes nothing. The tutor is notified only if a suggestion of theirs is declined. */
export async function withdrawMoveRequest(
  context: Context,
  contact: Contact,
  id: number,
): Promise<void> {
  const { tutorId } = contact;
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const request = await authoriseRequest(tx, contact, id);
    if (request.status === 'withdrawn') return;
    if (!isPending(request))
      throw new AppError('conflict', 'Your tutor has already answered. Please check the lesson.');
    await updateMoveRequest(tx, tutorId, id, { status: 'withdrawn', at: now });
    if (request.status === 'suggested')
      await context.events.publish(tx, suggestionsDeclined, toEventData(tutorId, request));
  });
}
