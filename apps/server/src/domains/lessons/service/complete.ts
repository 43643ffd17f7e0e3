import type { CompleteInput, CompleteManyInput } from '@lessonbook/contract/sessions';
import type { Context } from '../../../context.ts';
import { sessionCompleted, sessionsFreed } from '../events.ts';
import { findSessions, updateSessions } from '../queries/sessions.ts';
import { mustBeScheduled, noSuchSession } from './find.ts';
import { settleOverlaps } from './overlaps.ts';
import { changeSchedule, type OpenBook } from './schedule.ts';

type Completion = CompleteInput & { id: number };

export const completeSession = (
  context: Context,
  tutorId: string,
  sessionId: number,
  input: CompleteInput,
): Promise<void> =>
  changeSchedule(context, tutorId, (book) => tickOff(book, [{ ...input, id: sessionId }]));

/** A whole week in one list: all of them or none. */
export async function completeSessions(
  context: Context,
  tutorId: string,
  input: CompleteManyInput,
): Promise<number> {
  await changeSchedule(context, tutorId, (book) => tickOff(book, input.sessions));
  return input.sessions.length;
}

async function tickOff(book: OpenBook, completions: readonly Completion[]): Promise<void> {
  const { tx, tutorId, context } = book;
  const ids = completions.map((completion) => completion.id);
  const sessions = await findSessions(tx, tutorId, ids);
  if (sessions.length !== new Set(ids).size || sessions.length !== ids.length)
    throw noSuchSession();
  for (const session of sessions) mustBeScheduled(session);
  const free = new Set(sessions.filter((session) => session.fee === null).map(({ id }) => id));
  for (const { id, attendance, charge, notes } of completions) {
    await updateSessions(tx, tutorId, [id], {
      status: 'completed',
      attendance,
      is_billable: charge && !free.has(id),
      ...(notes ? { notes } : {}),
    });
  }
  await settleOverlaps(book, ids, true);
  const charged = completions.filter((completion) => completion.charge).map(({ id }) => id);
  const waived = completions.filter((completion) => !completion.charge).map(({ id }) => id);
  if (charged.length > 0)
    await context.events.publish(tx, sessionCompleted, { tutorId, sessionIds: charged });
  if (waived.length > 0)
    await context.events.publish(tx, sessionsFreed, { tutorId, sessionIds: waived });
}
