import type { ExternalChange } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { cancelSessionInTransaction } from '../../lessons/service/cancel-session.ts';
import {
  runScheduleTransaction,
  type ScheduleTx,
} from '../../lessons/service/schedule-transaction.ts';
import { rescheduleSessionInTransaction } from '../../lessons/service/update-session.ts';
import { findEvent, saveEvent } from '../queries/events.ts';
import {
  type ExternalChangeRow,
  resolveExternalChange,
  unresolvedExternalChanges,
} from '../queries/external-changes.ts';
import { toLocalSlot } from '../rules/to-local-slot.ts';
import { requestSync } from './schedule-sync.ts';

export async function listExternalChanges(
  context: Context,
  tutorId: string,
  sessionId?: number,
): Promise<ExternalChange[]> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const timeZone = await getTimeZone(tx, tutorId);
    const rows = await unresolvedExternalChanges(tx, tutorId).execute();
    return rows
      .filter((row) => row.status === 'scheduled')
      .filter((row) => sessionId === undefined || row.sessionId === sessionId)
      .map((row) => ({
        id: row.id,
        sessionId: row.sessionId,
        kind: row.kind as ExternalChange['kind'],
        date: row.date,
        startTime: row.startTime,
        endTime: row.endTime,
        title: row.title,
        studentName: row.studentNames.join(', '),
        to: toLocalSlot(timeZone, row.startsAt, row.endsAt),
      }));
  });
}

/** Resolves the change and reschedules the session, or cancels it without a fee, in one transaction. */
export async function acceptExternalChange(
  context: Context,
  tutorId: string,
  id: number,
  acceptOverlaps: boolean,
): Promise<{ sessionId: number }> {
  return runScheduleTransaction(context, tutorId, async (schedule) => {
    const { tx } = schedule;
    const externalChange = await getExternalChangeOrThrow(tx, tutorId, id);
    const sessionId = await applyExternalChange(schedule, externalChange, acceptOverlaps);
    await resolveExternalChange(tx, tutorId, { id }, 'accepted');
    return { sessionId };
  });
}

async function applyExternalChange(
  schedule: ScheduleTx,
  { sessionId, kind, startsAt, endsAt }: ExternalChangeRow,
  acceptOverlaps: boolean,
): Promise<number> {
  if (kind === 'deleted') {
    const input = { cancelledBy: 'tutor', chargeFee: false } as const;
    await cancelSessionInTransaction(schedule, sessionId, input);
    return sessionId;
  }
  const to = toLocalSlot(schedule.timeZone, startsAt, endsAt);
  if (!to)
    throw new AppError(
      'conflict',
      "All-day and overnight events can't be lessons. Please undo the change.",
    );
  return rescheduleSessionInTransaction(schedule, sessionId, { ...to, acceptOverlaps });
}

/** Overwrites the event in Google with our version. */
export async function revertExternalChange(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ sessionId: number }> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const { sessionId } = await getExternalChangeOrThrow(tx, tutorId, id);
    await resolveExternalChange(tx, tutorId, { id }, 'put_back');
    const event = await findEvent(tx, tutorId, sessionId);
    if (event) await saveEvent(tx, tutorId, event, { overwriteRemote: true });
    await requestSync(context, tx, tutorId);
    return { sessionId };
  });
}

async function getExternalChangeOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<ExternalChangeRow> {
  const rows = await unresolvedExternalChanges(tx, tutorId).execute();
  const found = rows.find((row) => row.id === id);
  if (!found) throw new AppError('not_found', 'This change has already been dealt with.');
  return found;
}
