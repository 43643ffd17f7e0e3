import type { CalendarProposal } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { timeZoneOf } from '../../accounts/service/profile.ts';
import { cancelSession } from '../../lessons/service/cancel.ts';
import { rescheduleSession } from '../../lessons/service/change-session.ts';
import { eventOf, saveEvent } from '../queries/events.ts';
import { endProposal, openProposals, type ProposalRow } from '../queries/proposals.ts';
import { onTheWall } from '../rules/lesson-place.ts';
import { wish } from './plan.ts';

export async function listProposals(
  context: Context,
  tutorId: string,
  sessionId?: number,
): Promise<CalendarProposal[]> {
  return context.db.lookAtTutor(tutorId, async (tx) => {
    const timeZone = await timeZoneOf(tx, tutorId);
    const rows = await openProposals(tx, tutorId).execute();
    return rows
      .filter((row) => row.status === 'scheduled')
      .filter((row) => sessionId === undefined || row.sessionId === sessionId)
      .map((row) => ({
        id: row.id,
        sessionId: row.sessionId,
        kind: row.kind as CalendarProposal['kind'],
        date: row.date,
        startTime: row.startTime,
        endTime: row.endTime,
        title: row.title,
        studentName: row.studentName,
        to: onTheWall(timeZone, row.startsAt, row.endsAt),
      }));
  });
}

/** A normal move, or a normal cancellation for nothing. If it dies before the end, the next look finds it moot. */
export async function acceptProposal(
  context: Context,
  tutorId: string,
  id: number,
  acceptOverlaps: boolean,
): Promise<{ sessionId: number }> {
  const proposal = await proposalById(context, tutorId, id);
  const sessionId = await carryOut(context, tutorId, proposal, acceptOverlaps);
  await context.db.withTutor(tutorId, (tx) => endProposal(tx, tutorId, { id }, 'accepted'));
  return { sessionId };
}

async function carryOut(
  context: Context,
  tutorId: string,
  proposal: ProposalRow & { timeZone: string },
  acceptOverlaps: boolean,
): Promise<number> {
  const { sessionId, kind, timeZone, startsAt, endsAt } = proposal;
  if (kind === 'deleted') {
    await cancelSession(context, tutorId, sessionId, { cancelledBy: 'tutor', chargeFee: false });
    return sessionId;
  }
  const to = onTheWall(timeZone, startsAt, endsAt);
  if (!to) throw new AppError('conflict', 'A lesson cannot be like that. Please put it back.');
  return rescheduleSession(context, tutorId, sessionId, { ...to, acceptOverlaps }, null);
}

/** Google gets it as it is in the book, whatever was done to it there. */
export async function putBack(
  context: Context,
  tutorId: string,
  id: number,
): Promise<{ sessionId: number }> {
  const { sessionId } = await proposalById(context, tutorId, id);
  await context.db.withTutor(tutorId, async (tx) => {
    if (!(await endProposal(tx, tutorId, { id }, 'put_back'))) return;
    const event = await eventOf(tx, tutorId, sessionId);
    if (event) await saveEvent(tx, tutorId, event, { forced: true });
    await wish(context, tx, tutorId);
  });
  return { sessionId };
}

async function proposalById(
  context: Context,
  tutorId: string,
  id: number,
): Promise<ProposalRow & { timeZone: string }> {
  const { rows, timeZone } = await context.db.lookAtTutor(tutorId, async (tx) => ({
    rows: await openProposals(tx, tutorId).execute(),
    timeZone: await timeZoneOf(tx, tutorId),
  }));
  const found = rows.find((row) => row.id === id);
  if (!found) throw new AppError('not_found', 'That has been decided already.');
  return { ...found, timeZone };
}
