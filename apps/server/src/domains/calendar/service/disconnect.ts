import type { CalendarStatus } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { decrypt } from '../../../platform/crypto/encryption.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { completeWork } from '../../../platform/queue/tenant-schedule.ts';
import { calendarConnectionLost } from '../events.ts';
import { CALENDAR_SYNC_WORK } from '../job-types.ts';
import {
  type CalendarConnection,
  type ConnectionChange,
  connectionByTutor,
  DISCONNECTED_STATE,
  updateConnection,
} from '../queries/connections.ts';
import { dropAllExternalChanges } from '../queries/external-changes.ts';
import { deleteChannels } from '../queries/watch-channels.ts';
import { readStatus } from './connect.ts';

/** Leaves the events in the calendar, deletes our copy of the token and revokes the token with Google. */
export async function disconnect(context: Context, tutorId: string): Promise<CalendarStatus> {
  const before = await context.db.tutorTransaction(tutorId, async (tx) => {
    const connection = await connectionByTutor(tx, tutorId).executeTakeFirst();
    if (!connection) return null;
    await recordAudit(tx, tutorId, { action: 'calendar_disconnected', at: context.clock.now() });
    await closeConnection(tx, tutorId, { failure_reason: null });
    return connection;
  });
  if (before) await revokeAtGoogle(context, tutorId, before);
  return readStatus(context, tutorId);
}

async function closeConnection(tx: Tx, tutorId: string, change: ConnectionChange): Promise<void> {
  await updateConnection(tx, tutorId, { ...DISCONNECTED_STATE, ...change });
  await dropAllExternalChanges(tx, tutorId);
  await deleteChannels(tx, tutorId);
  await completeWork(tx, tutorId, CALENDAR_SYNC_WORK, null);
}

async function revokeAtGoogle(
  context: Context,
  tutorId: string,
  connection: CalendarConnection,
): Promise<void> {
  if (!connection.encryptedToken || !context.calendars) return;
  try {
    const token = decrypt(context.config.encryptionKeys, connection.encryptedToken, tutorId);
    if (connection.channelId && connection.channelResource) {
      const channel = { id: connection.channelId, resource: connection.channelResource };
      await context.calendars.open(token).stopWatching(channel);
    }
    await context.calendars.revoke(token);
  } catch (error) {
    // Our copy of the token is already deleted, so a failure here is harmless.
    context.log.info({ err: error }, 'revoking a calendar token with Google failed');
  }
}

/** Stops syncing until the tutor reconnects, and notifies the tutor once. */
export async function markConnectionLost(
  context: Context,
  tutorId: string,
  lostConnection: Pick<CalendarConnection, 'encryptedToken'>,
  reason: 'access_lost' | 'calendar_deleted',
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const connection = await connectionByTutor(tx, tutorId).executeTakeFirst();
    // The tutor has since reconnected, so the lost connection is no longer in use.
    if (!connection || connection.encryptedToken !== lostConnection.encryptedToken) return;
    await closeConnection(tx, tutorId, {
      failure_reason: reason,
      ...(reason === 'calendar_deleted' ? { calendar_id: null } : {}),
    });
    const dedupeKey = `calendar lost ${connection.connectedAt.toISOString()}`;
    await context.events.publish(tx, calendarConnectionLost, { tutorId, reason, dedupeKey });
  });
}
