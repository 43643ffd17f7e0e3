import type { Context } from '../../../context.ts';
import { cancellationFeesWaived, type SeatRef } from '../events.ts';
import { findSessions } from '../queries/sessions.ts';
import { markNotBillable } from './cancel-without-fee-and-restore.ts';
import { getSessionOrThrow } from './guards.ts';
import { runScheduleTransaction, type ScheduleTx } from './schedule-transaction.ts';

/** Reverses or credits the charges for the cancellation, if there are any. */
export async function waiveCancellationFee(
  context: Context,
  tutorId: string,
  sessionId: number,
): Promise<void> {
  await runScheduleTransaction(context, tutorId, async (schedule) => {
    const session = await getSessionOrThrow(schedule.tx, tutorId, sessionId);
    await waiveSeatFees(
      schedule,
      session.seats.map(({ studentId }) => ({ sessionId, studentId })),
    );
  });
}

/** Returns the number of cancelled seats whose charge was waived. */
export async function waiveSeatFees(
  { context, tx, tutorId }: ScheduleTx,
  refs: readonly SeatRef[],
): Promise<number> {
  const sessions = await findSessions(tx, tutorId, [...new Set(refs.map((ref) => ref.sessionId))]);
  const charged = refs.filter(({ sessionId, studentId }) => {
    const session = sessions.find(({ id }) => id === sessionId);
    const seat = session?.seats.find((each) => each.studentId === studentId);
    const isCancelled = session?.status === 'cancelled' || seat?.state === 'cancelled';
    return isCancelled && seat?.isBillable === true;
  });
  if (charged.length === 0) return 0;
  await context.events.publish(tx, cancellationFeesWaived, { tutorId, seats: charged });
  await markNotBillable(tx, tutorId, charged);
  return charged.length;
}
