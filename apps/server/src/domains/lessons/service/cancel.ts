import type { Currency } from '@lessonbook/contract/money';
import { toMajor } from '@lessonbook/contract/money';
import type { CancelInput, CancellationProposal } from '@lessonbook/contract/sessions';
import type { CancellationPolicy } from '@lessonbook/contract/time-off';
import type { Context } from '../../../context.ts';
import { sessionCancelledWithFee, sessionsFreed } from '../events.ts';
import { type SessionRecord, sessionById, updateSessions } from '../queries/sessions.ts';
import { policyOf, savePolicy } from '../queries/time-off.ts';
import { DEFAULT_POLICY, type Policy, type Proposal, proposeFee } from '../rules/cancellation.ts';
import { mustBeScheduled, noSuchSession, sessionInBook } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { changeSchedule } from './schedule.ts';

type Canceller = CancelInput['cancelledBy'];

export async function readPolicy(context: Context, tutorId: string): Promise<CancellationPolicy> {
  const [[policy]] = await context.db.readTutor(tutorId, (tx) => [policyOf(tx, tutorId)]);
  return policy ?? DEFAULT_POLICY;
}

export async function updatePolicy(
  context: Context,
  tutorId: string,
  policy: CancellationPolicy,
): Promise<CancellationPolicy> {
  await context.db.withTutor(tutorId, (tx) => savePolicy(tx, tutorId, policy));
  return policy;
}

function proposal(
  session: Pick<SessionRecord, 'fee' | 'currency' | 'startsAt'>,
  policy: Policy | undefined,
  by: Canceller,
  now: Date,
): Proposal {
  return proposeFee({
    cancelledBy: by,
    policy: policy ?? DEFAULT_POLICY,
    fee: session.fee,
    currency: session.currency as Currency,
    startsAt: session.startsAt,
    now,
  });
}

/** Shown before the tutor decides: "2 h notice: £35". */
export async function proposeCancellation(
  context: Context,
  tutorId: string,
  sessionId: number,
  by: Canceller,
): Promise<CancellationProposal> {
  const [[session], [policy]] = await context.db.readTutor(tutorId, (tx) => [
    sessionById(tx, tutorId, sessionId),
    policyOf(tx, tutorId),
  ]);
  if (!session) throw noSuchSession();
  mustBeScheduled(session as SessionRecord);
  const { fee, ...rest } = proposal(session, policy, by, context.clock.now());
  return {
    ...rest,
    fee: fee === null ? null : toMajor(fee),
    currency: session.currency as Currency,
  };
}

/** The amount is the policy's, never the caller's: the tutor only says whether to charge it. */
export async function cancelSession(
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CancelInput,
): Promise<void> {
  await changeSchedule(context, tutorId, async (book) => {
    const { tx, now } = book;
    const session = await sessionInBook(tx, tutorId, sessionId);
    mustBeScheduled(session);
    const policy = await policyOf(tx, tutorId).executeTakeFirst();
    const { fee } = proposal(session, policy, input.cancelledBy, now);
    await updateSessions(tx, tutorId, [sessionId], {
      status: 'cancelled',
      cancelled_by: input.cancelledBy,
      cancel_reason: input.reason || null,
      is_billable: input.chargeFee && fee !== null,
    });
    await settleOverlaps(book, [sessionId], true);
    if (input.chargeFee && fee !== null) {
      await context.events.publish(tx, sessionCancelledWithFee, { tutorId, sessionId, fee });
    } else {
      await context.events.publish(tx, sessionsFreed, { tutorId, sessionIds: [sessionId] });
    }
  });
}
