import { firstName } from '@lessonbook/contract/first-name';
import type {
  PortalCancelInput,
  PortalCancellationCost,
  PortalStudent,
} from '@lessonbook/contract/portal';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import { type IdempotencyKey, withIdempotency } from '../../../platform/idempotency.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { cancelForStudent } from '../../lessons/service/cancel-session.ts';
import {
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { waiveSeatFees } from '../../lessons/service/waive-cancellation-fee.ts';
import { lessonsCancelledByFamily } from '../events.ts';
import { isStudentContact } from '../queries/contact-access.ts';
import {
  eraseIllnessReasonsBefore,
  findCancelledSeats,
  insertPortalCancellation,
} from '../queries/portal-cancellations.ts';
import {
  type PortalLessonRow,
  portalAccess,
  portalLessonsById,
  portalMoveRequests,
  portalPolicies,
  portalTerms,
  usedFreeCancellations,
} from '../queries/portal-views.ts';
import { toPortalStudent } from '../rules/portal-student.ts';
import { type CancellationCostInputs, costOf, termOf } from './cancellation-cost.ts';

type CancelledLesson = PortalCancelInput['lessons'][number];

interface PlannedCancellation {
  requested: CancelledLesson;
  row: PortalLessonRow;
  cost: PortalCancellationCost;
}

/**
 * Cancels all of the lessons or none, for the fees that the person saw. What the person may cancel is read with the contact's
 * database privileges, in the transaction that cancels, so neither access nor fee can change in between.
 */
export async function cancelPortalLessons(
  context: Context,
  contact: Contact,
  input: PortalCancelInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<{ cancelled: number }> {
  const { tutorId } = contact;
  if (input.isIllness && input.lessons.some(({ usesFreeCancellation }) => usesFreeCancellation))
    throw new AppError('invalid', 'An illness does not use up a free late cancellation.');
  return runScheduleTransaction(context, tutorId, (schedule) =>
    withIdempotency(schedule.tx, tutorId, idempotencyKey, schedule.now, async () => {
      const { planned, termRanges, contactName } = await planCancellation(schedule, contact, input);
      await applyCancellation(schedule, contact, input, planned);
      const seats = planned.map(({ requested, cost }) => ({
        ...requested,
        currency: cost.currency,
        termStart: cost.termStart,
      }));
      const eraseReasonOn = planned
        .map(({ row }) => termOf(row, termRanges).toDate)
        .toSorted()
        .at(-1) as string;
      const { contactId } = contact;
      const cancellationId = await insertPortalCancellation(schedule.tx, tutorId, {
        contactId,
        at: schedule.now,
        isIllness: input.isIllness,
        eraseReasonOn,
        seats,
      });
      await context.events.publish(schedule.tx, lessonsCancelledByFamily, {
        tutorId,
        cancellationId,
        contactName,
        lessons: planned
          .toSorted((a, b) => a.row.startsAt.getTime() - b.row.startsAt.getTime())
          .map(({ requested, row, cost }) => ({
            sessionId: row.sessionId,
            studentName: firstName(row.studentName),
            date: row.date,
            startTime: row.startTime,
            fee: requested.fee,
            currency: cost.currency,
            usesFreeCancellation: requested.usesFreeCancellation,
          })),
      });
      await recordAudit(schedule.tx, tutorId, {
        action: 'lessons_cancelled_by_family',
        at: schedule.now,
        metadata: { contactId, lessons: planned.length },
        omitRequestContext: true,
      });
      return { cancelled: planned.length };
    }),
  );
}

async function planCancellation(
  { tx, timeZone, now, today }: ScheduleTx,
  contact: Contact,
  { lessons }: PortalCancelInput,
): Promise<{
  planned: PlannedCancellation[];
  termRanges: CancellationCostInputs['termRanges'];
  contactName: string;
}> {
  const sessionIds = [...new Set(lessons.map(({ sessionId }) => sessionId))];
  const [access, rows, ...inputRows] = await executeAsContact(tx, contact, [
    portalAccess(tx),
    portalLessonsById(tx, sessionIds),
    portalPolicies(tx),
    portalTerms(tx),
    usedFreeCancellations(tx),
    portalMoveRequests(tx, today),
  ]);
  const [policies, termRanges, freeCancellationsUsed, requests] = inputRows;
  const [own] = access;
  if (!own) throw signedOutError();
  // Both the view and the application's own check must allow the cancellation.
  const students = access
    .map(toPortalStudent)
    .filter((student) => bothAllowCancelling(student, contact));
  const inputs = { policies, termRanges, freeCancellationsUsed, requests, timeZone, now };
  const planned = lessons.map((requested) => {
    const row = rows.find(
      ({ sessionId, studentId }) =>
        sessionId === requested.sessionId && studentId === requested.studentId,
    );
    if (!row || !students.some(({ id }) => id === row.studentId)) throw lessonNotFound();
    const cost = costOf(row, inputs);
    if (!cost)
      throw new AppError(
        'conflict',
        `${firstName(row.studentName)}'s lesson has already started or been cancelled. Please check your lessons.`,
      );
    return { requested, row, cost };
  });
  const keys = new Set(lessons.map(({ sessionId, studentId }) => `${sessionId} ${studentId}`));
  if (keys.size < lessons.length)
    throw new AppError('invalid', 'Please choose each lesson only once.');
  assertAgreed(planned);
  return { planned, termRanges, contactName: firstName(own.contactName) };
}

const bothAllowCancelling = (student: PortalStudent, contact: Contact): boolean =>
  student.mayCancel &&
  student.seesLessons &&
  contact.students.some(({ id, mayCancel }) => id === student.id && mayCancel);

/** Throws unless the person has agreed to these fees, may incur them and has enough free cancellations left. */
function assertAgreed(planned: readonly PlannedCancellation[]): void {
  if (planned.some(({ cost }) => !cost.isAllowed))
    throw new AppError(
      'forbidden',
      "There's now a fee for cancelling, so only the person who pays can cancel.",
    );
  const free = planned.filter(({ requested }) => requested.usesFreeCancellation);
  const byTerm = Map.groupBy(free, ({ row, cost }) => `${row.studentId} ${cost.termStart}`);
  const exceedsAllowance = [...byTerm.values()].some(
    (uses) => uses.length > (uses[0]?.cost.freeCancellationsLeft ?? 0),
  );
  const changed = planned.some(({ requested, cost }) =>
    requested.usesFreeCancellation
      ? requested.fee !== 0 || cost.fee === 0
      : requested.fee !== cost.fee,
  );
  if (exceedsAllowance || changed)
    throw new AppError('fee_changed', 'The cost has changed. Please check it and confirm again.');
}

async function applyCancellation(
  schedule: ScheduleTx,
  contact: Contact,
  { isIllness, message }: PortalCancelInput,
  planned: readonly PlannedCancellation[],
): Promise<void> {
  const isStudent = await isStudentContact(schedule.tx, contact.tutorId, contact.contactId);
  const reason = [isIllness && 'Illness', message].filter(Boolean).join(': ');
  for (const { requested, row } of planned) {
    await cancelForStudent(schedule, row, {
      cancelledBy: isStudent ? 'student' : 'carer',
      reason,
      chargeFee: !requested.usesFreeCancellation,
    });
  }
}

/** For the tutor: waives the fees for all lessons that the family cancelled in one request. */
export async function waivePortalCancellation(
  context: Context,
  tutorId: string,
  cancellationId: number,
): Promise<{ waived: number }> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const seats = await findCancelledSeats(schedule.tx, tutorId, cancellationId);
    if (!seats) throw new AppError('not_found', "We couldn't find that cancellation.");
    return { waived: await waiveSeatFees(schedule, seats) };
  });
}

/** Illness is kept as the reason for a cancellation only until the end of the term. */
export async function eraseIllnessReasons(tx: Tx, tutorId: string, now: Date): Promise<void> {
  const today = dateInZone(await getTimeZone(tx, tutorId), now);
  await eraseIllnessReasonsBefore(tx, tutorId, today).execute();
}

export const lessonNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that lesson. It may have been moved.");
