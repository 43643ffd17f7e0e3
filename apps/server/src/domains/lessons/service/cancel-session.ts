import type { Currency } from '@lessonbook/contract/money';
import type { CancelInput, CancellationProposal } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/execute-statement-batch.ts';
import { toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { cancelledWithFee, type SeatRef, seatsNotBillable, seatsReopened } from '../events.ts';
import { policyVersions } from '../queries/cancellation-policies.ts';
import { moveRequestNotices } from '../queries/move-requests-affecting-notice.ts';
import { updateSeat, updateSeatOutcomes } from '../queries/seats.ts';
import { type SessionRecord, sessionById, updateSessions } from '../queries/sessions.ts';
import {
  type CancellationStep,
  cancellationCostWithMoveRequests,
  cancellationSteps,
  type FeeProposal,
  type MoveRequestNotice,
  noticeStart,
  proposeFee,
} from '../rules/cancellation.ts';
import { filterExpectedSeats, type Seat, totalFee } from '../rules/seat-fees-and-rosters.ts';
import {
  assertScheduled,
  getSessionOrThrow,
  sessionNotFound,
  studentNotInSessionError,
} from './guards.ts';
import { repriceSessions } from './rates.ts';
import { resolveOverlaps } from './resolve-overlaps.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

type CancelledBy = CancelInput['cancelledBy'];

type SeatNotice = MoveRequestNotice & { studentId: number };

/** The fee of each seat under the policy. If the family has asked to move the session, the notice is counted from then. */
function proposeSeatFees(
  session: Pick<SessionRecord, 'startsAt'>,
  seats: readonly Seat[],
  steps: readonly CancellationStep[],
  requests: readonly SeatNotice[],
  cancelledBy: CancelledBy,
  now: Date,
): (FeeProposal & { seat: Seat })[] {
  return seats.map((seat) => ({
    seat,
    ...proposeFee({
      cancelledBy,
      steps,
      fee: seat.fee,
      currency: seat.currency as Currency,
      startsAt: session.startsAt,
      now: noticeStart(filterRequests(requests, [seat]), now),
    }),
  }));
}

const filterRequests = (requests: readonly SeatNotice[], seats: readonly Seat[]): SeatNotice[] =>
  requests.filter((request) => seats.some(({ studentId }) => studentId === request.studentId));

/** The fee under the cancellation policy, with the reason: "2 hours' notice: £35". For a group, the sum over its students. */
export async function proposeCancellation(
  context: Context,
  tutorId: string,
  sessionId: number,
  cancelledBy: CancelledBy,
): Promise<CancellationProposal> {
  return readProposal(context, tutorId, sessionId, cancelledBy, (session) =>
    filterExpectedSeats(session.seats),
  );
}

/** The fee under the cancellation policy for one student of a group. */
export async function proposeSeatCancellation(
  context: Context,
  tutorId: string,
  sessionId: number,
  studentId: number,
  cancelledBy: CancelledBy,
): Promise<CancellationProposal> {
  return readProposal(context, tutorId, sessionId, cancelledBy, (session) => [
    findExpectedSeat(session, studentId),
  ]);
}

async function readProposal(
  context: Context,
  tutorId: string,
  sessionId: number,
  cancelledBy: CancelledBy,
  selectSeats: (session: SessionRecord) => Seat[],
): Promise<CancellationProposal> {
  const now = context.clock.now();
  const [[row], versions, allRequests, tutors] = await context.db.tutorRead(tutorId, (tx) => [
    sessionById(tx, tutorId, sessionId),
    policyVersions(tx, tutorId),
    moveRequestNotices(tx, tutorId, sessionId),
    tutorQuery(tx, tutorId),
  ]);
  if (!row) throw sessionNotFound();
  const session = row as SessionRecord;
  assertScheduled(session);
  const seats = selectSeats(session);
  const currency = (seats[0] as Seat).currency as Currency;
  const steps = cancellationSteps(versions, session, toTutorOrThrow(tutors).timeZone);
  const total = totalFee(seats);
  const requests = filterRequests(allRequests, seats);
  const { noticeMinutes, fee, reason } = proposeFee({
    cancelledBy,
    steps,
    fee: total,
    currency,
    startsAt: session.startsAt,
    now: noticeStart(requests, now),
  });
  // Each seat is rounded separately, so the sum can differ from the rounded total.
  const fees = proposeSeatFees(session, seats, steps, requests, cancelledBy, now);
  const sum = fees.reduce((amount, proposal) => amount + (proposal.fee ?? 0), 0);
  const { startsAt } = session;
  const { freeUntil } = cancellationCostWithMoveRequests(
    steps,
    total ?? 0,
    { startsAt, requests },
    now,
  );
  return {
    noticeMinutes,
    fee: fee === null ? null : sum,
    currency,
    reason,
    freeUntil: freeUntil?.toISOString() ?? null,
  };
}

/** The policy determines the fee; the caller decides only whether the fee is charged. */
export async function cancelSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CancelInput,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, (schedule) =>
    cancelSessionInTransaction(schedule, sessionId, input),
  );
}

export async function cancelSessionInTransaction(
  schedule: ScheduleTx,
  sessionId: number,
  input: CancelInput,
): Promise<void> {
  const { tx, tutorId } = schedule;
  const session = await getSessionOrThrow(tx, tutorId, sessionId);
  assertScheduled(session);
  await updateSessions(tx, tutorId, [sessionId], {
    status: 'cancelled',
    cancelled_by: input.cancelledBy,
    cancel_reason: input.reason || null,
  });
  await resolveOverlaps(schedule, [sessionId], true);
  await chargeOrWaive(schedule, session, filterExpectedSeats(session.seats), input);
}

/** Cancels a group session for one student. The session still takes place for the others. */
export async function cancelSeat(
  context: Context,
  tutorId: string,
  sessionId: number,
  studentId: number,
  input: CancelInput,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const session = await getSessionOrThrow(schedule.tx, tutorId, sessionId);
    assertScheduled(session);
    const seat = findExpectedSeat(session, studentId);
    if (filterExpectedSeats(session.seats).length === 1) {
      throw new AppError(
        'conflict',
        'This is the only student left in the lesson. Please cancel the whole lesson.',
      );
    }
    await cancelOneSeat(schedule, session, seat, input);
  });
}

/** For a family that cancels for its own student. The session still takes place if other students are expected. */
export async function cancelForStudent(
  schedule: ScheduleTx,
  { sessionId, studentId }: SeatRef,
  input: CancelInput,
): Promise<void> {
  const session = await getSessionOrThrow(schedule.tx, schedule.tutorId, sessionId);
  assertScheduled(session);
  const seat = findExpectedSeat(session, studentId);
  if (filterExpectedSeats(session.seats).length === 1)
    await cancelSessionInTransaction(schedule, sessionId, input);
  else await cancelOneSeat(schedule, session, seat, input);
}

async function cancelOneSeat(
  schedule: ScheduleTx,
  session: SessionRecord,
  seat: Seat,
  input: CancelInput,
): Promise<void> {
  await chargeOrWaive(schedule, session, [seat], input);
  await updateSeat(
    schedule.tx,
    schedule.tutorId,
    { sessionId: session.id, studentId: seat.studentId },
    { state: 'cancelled', cancelled_by: input.cancelledBy, cancel_reason: input.reason || null },
  );
}

/** Undoes the cancellation of a seat. Subscribers reverse its charge, or throw if it is on an invoice. */
export async function restoreSeat(
  context: Context,
  tutorId: string,
  sessionId: number,
  studentId: number,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    const session = await getSessionOrThrow(tx, tutorId, sessionId);
    assertScheduled(session);
    const seat = session.seats.find((candidate) => candidate.studentId === studentId);
    if (!seat) throw studentNotInSessionError();
    if (seat.state !== 'cancelled')
      throw new AppError('conflict', "This lesson isn't cancelled for this student.");
    const ref = { sessionId, studentId };
    await context.events.publish(tx, seatsReopened, { tutorId, seats: [ref] });
    await updateSeat(tx, tutorId, ref, {
      state: 'expected',
      cancelled_by: null,
      cancel_reason: null,
      notice_minutes: null,
      is_billable: false,
      time_off_id: null,
    });
    await repriceSessions(schedule, [sessionId]);
  });
}

function findExpectedSeat(session: SessionRecord, studentId: number): Seat {
  const seat = filterExpectedSeats(session.seats).find(
    (candidate) => candidate.studentId === studentId,
  );
  if (!seat) throw studentNotInSessionError();
  return seat;
}

/** Decides for each seat whether its cancellation is charged, and publishes the decision. */
async function chargeOrWaive(
  { context, tx, tutorId, timeZone, now }: ScheduleTx,
  session: SessionRecord,
  seats: readonly Seat[],
  input: CancelInput,
): Promise<void> {
  const [versions, requests] = await executeBatch(tx, [
    policyVersions(tx, tutorId),
    moveRequestNotices(tx, tutorId, session.id),
  ]);
  const steps = cancellationSteps(versions, session, timeZone);
  const { cancelledBy, chargeFee } = input;
  const proposals = proposeSeatFees(session, seats, steps, requests, cancelledBy, now).map(
    ({ seat, fee, noticeMinutes }) => ({
      sessionId: session.id,
      studentId: seat.studentId,
      fee: chargeFee ? fee : null,
      noticeMinutes,
    }),
  );
  await updateSeatOutcomes(
    tx,
    tutorId,
    proposals.map((proposal) => ({
      ...proposal,
      isBillable: proposal.fee !== null,
      attendance: null,
    })),
  );
  const charged = proposals.flatMap(({ fee, ...seat }) => (fee === null ? [] : [{ ...seat, fee }]));
  const waived = proposals.filter(({ fee }) => fee === null);
  if (charged.length > 0)
    await context.events.publish(tx, cancelledWithFee, { tutorId, seats: charged });
  if (waived.length > 0)
    await context.events.publish(tx, seatsNotBillable, { tutorId, seats: waived });
}
