import type { Context } from '../../../context.ts';
import { settleAgenda } from '../../../platform/agenda.ts';
import { calendarLost } from '../events.ts';
import { forgetChannels } from '../queries/channels.ts';
import { type CalendarLink, linkOf, NOTHING_PLANNED, updateLink } from '../queries/links.ts';
import { dropAllProposals } from '../queries/proposals.ts';
import { CALENDAR } from './plan.ts';

/** Nothing can be sent any more until the tutor connects again; the tutor is told, once. */
export async function loseCalendar(
  context: Context,
  tutorId: string,
  lost: Pick<CalendarLink, 'sealedToken'>,
  why: 'access_lost' | 'calendar_deleted',
): Promise<void> {
  await context.db.withTutor(tutorId, async (tx) => {
    const link = await linkOf(tx, tutorId).executeTakeFirst();
    // Connected anew meanwhile: what was lost is not what is in use.
    if (!link || link.sealedToken !== lost.sealedToken) return;
    await updateLink(tx, tutorId, {
      ...NOTHING_PLANNED,
      failure_reason: why,
      ...(why === 'calendar_deleted' ? { calendar_id: null } : {}),
    });
    await dropAllProposals(tx, tutorId);
    await forgetChannels(tx, tutorId);
    await settleAgenda(tx, tutorId, CALENDAR, null);
    const occasion = `calendar lost ${link.connectedAt.toISOString()}`;
    await context.events.publish(tx, calendarLost, { tutorId, why, occasion });
  });
}
