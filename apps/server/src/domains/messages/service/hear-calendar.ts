import { firstName } from '@lessonbook/contract/names';
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../platform/db.ts';
import { shortDate } from '../rules/words.ts';
import { notify } from './inbox.ts';

const LOST = {
  access_lost:
    'Google Calendar is no longer connected: Google does not let us in any more. Please connect it again; nothing will be doubled.',
  calendar_deleted:
    'Your "Lessons" calendar was deleted in Google. Connect again to get a new one, or leave it at that.',
};

export async function hearCalendarLost(
  context: Context,
  tx: Tx,
  lost: { tutorId: string; why: keyof typeof LOST; occasion: string },
): Promise<void> {
  await notify(context, tx, lost.tutorId, {
    kind: 'calendar_disconnected',
    occasion: lost.occasion,
    text: LOST[lost.why],
    path: '/settings',
    needsYou: true,
  });
}

export async function hearCalendarProposed(
  context: Context,
  tx: Tx,
  proposed: {
    tutorId: string;
    sessionId: number;
    studentName: string;
    date: string;
    startTime: string;
    to: { date: string; startTime: string } | 'unfit' | null;
    occasion: string;
  },
): Promise<void> {
  const { studentName, date, startTime, to, sessionId } = proposed;
  const lesson = `${firstName(studentName)}'s lesson on ${shortDate(date, date)} at ${startTime}`;
  const text =
    to === null
      ? `${lesson} was deleted in Google Calendar. Cancel it, or put it back?`
      : to === 'unfit'
        ? `${lesson} was changed in Google Calendar to something a lesson cannot be. Please put it back.`
        : `${lesson} was moved in Google Calendar to ${shortDate(to.date, date)} at ${to.startTime}. Accept it, or put it back?`;
  await notify(context, tx, proposed.tutorId, {
    kind: 'calendar_changed',
    occasion: proposed.occasion,
    text,
    path: `/sessions/${sessionId}`,
    needsYou: true,
  });
}
