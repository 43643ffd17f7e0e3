import type { Context } from '../../../context.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { calendarConnectionLost } from '../events.ts';
import { deleteChannels } from '../queries/channels.ts';
import {
  type CalendarConnection,
  connectionOf,
  DISCONNECTED_STATE,
  updateConnection,
} from '../queries/connections.ts';
import { dropAllExternalChanges } from '../queries/external-changes.ts';
import { CALENDAR_SYNC_WORK } from './schedule-sync.ts';

/** Nothing can be sent any more until the tutor connects again; the tutor is told, once. */
export async function markConnectionLost(
  context: Context,
  tutorId: string,
  lost: Pick<CalendarConnection, 'sealedToken'>,
  why: 'access_lost' | 'calendar_deleted',
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const connection = await connectionOf(tx, tutorId).executeTakeFirst();
    // Connected anew meanwhile: what was lost is not what is in use.
    if (!connection || connection.sealedToken !== lost.sealedToken) return;
    await updateConnection(tx, tutorId, {
      ...DISCONNECTED_STATE,
      failure_reason: why,
      ...(why === 'calendar_deleted' ? { calendar_id: null } : {}),
    });
    await dropAllExternalChanges(tx, tutorId);
    await deleteChannels(tx, tutorId);
    await completeWork(tx, tutorId, CALENDAR_SYNC_WORK, null);
    const occasion = `calendar lost ${connection.connectedAt.toISOString()}`;
    await context.events.publish(tx, calendarConnectionLost, { tutorId, why, occasion });
  });
}
