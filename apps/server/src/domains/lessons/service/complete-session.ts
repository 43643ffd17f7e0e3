import type { CompleteInput, CompleteManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { sessionCompleted, sessionsNotBillable } from '../events.ts';
import { updateCompletedSessions } from '../queries/complete-sessions.ts';
import { findSessions } from '../queries/sessions.ts';
import { assertScheduled, sessionNotFound } from './guards.ts';
import { changeSchedule, resolveOverlaps, type ScheduleTx } from './schedule-transaction.ts';

type Completion = CompleteInput & { id: number };

export const completeSession = (
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CompleteInput,
): Promise<void> =>
  changeSchedule(context, tutorId, (schedule) =>
    completeBatch(schedule, [{ ...input, id: sessionId }]),
  );

/** Completes either all of the sessions or none. */
export async function completeSessions(
  context: Context,
  tutorId: string,
  input: CompleteManyInput,
): Promise<number> {
  await changeSchedule(context, tutorId, (schedule) => completeBatch(schedule, input.sessions));
  return input.sessions.length;
}

async function completeBatch(
  schedule: ScheduleTx,
  completions: readonly Completion[],
): Promise<void> {
  const { tx, tutorId, context } = schedule;
  const ids = completions.map((completion) => completion.id);
  const sessions = await findSessions(tx, tutorId, ids);
  if (sessions.length !== new Set(ids).size || sessions.length !== ids.length)
    throw sessionNotFound();
  for (const session of sessions) assertScheduled(session);
  const freeIds = new Set(sessions.filter((session) => session.fee === null).map(({ id }) => id));
  await updateCompletedSessions(
    tx,
    tutorId,
    completions.map(({ id, attendance, charge, notes }) => ({
      id,
      attendance,
      isBillable: charge && !freeIds.has(id),
      notes: notes || null,
    })),
  );
  await resolveOverlaps(schedule, ids, true);
  const billable = completions.filter((completion) => completion.charge).map(({ id }) => id);
  const waived = completions.filter((completion) => !completion.charge).map(({ id }) => id);
  if (billable.length > 0)
    await context.events.publish(tx, sessionCompleted, { tutorId, sessionIds: billable });
  if (waived.length > 0)
    await context.events.publish(tx, sessionsNotBillable, { tutorId, sessionIds: waived });
}
