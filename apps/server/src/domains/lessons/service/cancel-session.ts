import type { CancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import type { Currency } from '@lessonbook/contract/money';
import type { CancelInput, CancellationProposal } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { sessionCancelledWithFee, sessionsNotBillable } from '../events.ts';
import { type SessionRecord, sessionById, updateSessions } from '../queries/sessions.ts';
import { cancellationPolicyFor, savePolicy } from '../queries/time-off.ts';
import {
  DEFAULT_POLICY,
  type FeeProposal,
  type Policy,
  proposeFee,
} from '../rules/cancellation.ts';
import { assertScheduled, getSessionOrThrow, sessionNotFound } from './guards.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

type CancelledBy = CancelInput['cancelledBy'];

export async function readPolicy(context: Context, tutorId: string): Promise<CancellationPolicy> {
  const [[policy]] = await context.db.tutorRead(tutorId, (tx) => [
    cancellationPolicyFor(tx, tutorId),
  ]);
  return policy ?? DEFAULT_POLICY;
}

export async function updatePolicy(
  context: Context,
  tutorId: string,
  policy: CancellationPolicy,
): Promise<CancellationPolicy> {
  await context.db.tutorTransaction(tutorId, (tx) => savePolicy(tx, tutorId, policy));
  return policy;
}

function computeFeeProposal(
  session: Pick<SessionRecord, 'fee' | 'currency' | 'startsAt'>,
  policy: Policy | undefined,
  cancelledBy: CancelledBy,
  now: Date,
): FeeProposal {
  return proposeFee({
    cancelledBy,
    policy: policy ?? DEFAULT_POLICY,
    fee: session.fee,
    currency: session.currency as Currency,
    startsAt: session.startsAt,
    now,
  });
}

/** The fee under the cancellation policy, with the reason: "2 h notice: £35". */
export async function proposeCancellation(
  context: Context,
  tutorId: string,
  sessionId: number,
  cancelledBy: CancelledBy,
): Promise<CancellationProposal> {
  const [[session], [policy]] = await context.db.tutorRead(tutorId, (tx) => [
    sessionById(tx, tutorId, sessionId),
    cancellationPolicyFor(tx, tutorId),
  ]);
  if (!session) throw sessionNotFound();
  assertScheduled(session as SessionRecord);
  const proposal = computeFeeProposal(session, policy, cancelledBy, context.clock.now());
  return { ...proposal, currency: session.currency as Currency };
}

/** The policy determines the fee. The caller only decides whether to charge it. */
export async function cancelSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CancelInput,
): Promise<void> {
  await changeSchedule(context, tutorId, (schedule) =>
    cancelSessionInTransaction(schedule, sessionId, input),
  );
}

export async function cancelSessionInTransaction(
  schedule: ScheduleTx,
  sessionId: number,
  input: CancelInput,
): Promise<void> {
  const { context, tx, tutorId, now } = schedule;
  const session = await getSessionOrThrow(tx, tutorId, sessionId);
  assertScheduled(session);
  const policy = await cancellationPolicyFor(tx, tutorId).executeTakeFirst();
  const { fee } = computeFeeProposal(session, policy, input.cancelledBy, now);
  await updateSessions(tx, tutorId, [sessionId], {
    status: 'cancelled',
    cancelled_by: input.cancelledBy,
    cancel_reason: input.reason || null,
    is_billable: input.chargeFee && fee !== null,
  });
  await resolveOverlaps(schedule, [sessionId], true);
  if (input.chargeFee && fee !== null) {
    await context.events.publish(tx, sessionCancelledWithFee, { tutorId, sessionId, fee });
  } else {
    await context.events.publish(tx, sessionsNotBillable, { tutorId, sessionIds: [sessionId] });
  }
}
