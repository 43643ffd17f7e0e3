import type { ExternalChange } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { getTimeZone } from '../../accounts/service/profile/read-tutor.ts';
import { cancelSession } from '../../lessons/service/cancel-session.ts';
import { rescheduleSession } from '../../lessons/service/update-session.ts';
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
        studentName: row.studentName,
        to: toLocalSlot(timeZone, row.startsAt, row.endsAt),
      }));
  });
}

/**
 * Reschedules the session or cancels it without a fee, then resolves the change. After a crash in between, the next sync
 * drops the change.
 */
export async function acceptExternalChange(
  context: Context,
  tutorId: string,
  id: number,
  acceptOverlaps: boolean,
): Promise<{ sessionId: number }> {
  const externalChange = await getExternalChangeOrThrow(context, tutorId, id);
  const sessionId = await applyExternalChange(context, tutorId, externalChange, acceptOverlaps);
  await context.db.tutorTransaction(tutorId, (tx) =>
    resolveExternalChange(tx, tutorId, { id }, 'accepted'),
  );
  return { sessionId };
}

async function applyExternalChange(
  context: Context,
  tutorId: string,
  externalChange: ExternalChangeRow & { timeZone: string },
  acceptOverlaps: boolean,
): Promise<number> {
  const { sessionId, kind, timeZone, startsAt, endsAt } = externalChange;
  if (kind === 'deleted') {
    await cancelSession(context, tutorId, sessionId, { cancelledBy: 'tutor', chargeFee: false });
    return sessionId;
  }
  const to = toLocalSlot(timeZone, startsAt, endsAt);
  if (!to) throw new AppError('conflict', 'A lesson cannot be like that. Please put it back.');
  return rescheduleSession(context, tutorId, sessionId, { ...to, acceptOverlaps }, null);
}

/** Overwrites the event in Google with our version. */
export async function revertExternalChange(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ sessionId: number }> {
  const { sessionId } = await getExternalChangeOrThrow(context, tutorId, id);
  await context.db.tutorTransaction(tutorId, async (tx) => {
    if (!(await resolveExternalChange(tx, tutorId, { id }, 'put_back'))) return;
    const event = await findEvent(tx, tutorId, sessionId);
    if (event) await saveEvent(tx, tutorId, event, { overwriteRemote: true });
    await requestSync(context, tx, tutorId);
  });
  return { sessionId };
}

async function getExternalChangeOrThrow(
  context: Context,
  tutorId: string,
  id: number,
): Promise<ExternalChangeRow & { timeZone: string }> {
  const { rows, timeZone } = await context.db.tutorSnapshot(tutorId, async (tx) => ({
    rows: await unresolvedExternalChanges(tx, tutorId).execute(),
    timeZone: await getTimeZone(tx, tutorId),
  }));
  const found = rows.find((row) => row.id === id);
  if (!found) throw new AppError('not_found', 'That has been decided already.');
  return { ...found, timeZone };
}
