import { randomUUID } from 'node:crypto';
import { add24HourDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { CalendarAccessLostError } from '../../../integrations/calendar-provider.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import { type CalendarConnection, updateConnection } from '../queries/connections.ts';
import { channelById, deleteChannels, insertChannel } from '../queries/watch-channels.ts';
import { LeaseLostError, type SyncRun } from './save-sync-results.ts';
import { requestSync } from './schedule-sync.ts';

/** The channel is renewed this long before it expires. */
const RENEW_DAYS = 1;
/** After a failure, the next attempt is about an hour later. */
const RETRY_DAYS = RENEW_DAYS + 1 / 24;

/** Opens or renews the channel for Google's push notifications. Returns whether a channel is open. */
export async function ensureWatchChannel(
  run: SyncRun,
  connection: CalendarConnection,
): Promise<boolean> {
  const { context, tutorId } = run;
  const now = context.clock.now();
  const expiresAt = connection.channelExpiresAt;
  if (expiresAt && expiresAt > add24HourDays(now, RENEW_DAYS)) return connection.channelId !== null;
  const channel = { id: randomUUID(), token: randomToken() };
  // Saved before the channel is opened, because the first notification may arrive before the response.
  const row = { id: channel.id, tutorId, tokenHash: sha256(channel.token) };
  await context.db.globalTransaction((tx) =>
    insertChannel(tx, { ...row, expiresAt: add24HourDays(now, 30) }),
  );
  try {
    const opened = await run.calendar.watch(run.calendarId, channel);
    await saveChannel(run, opened.id, opened.resource, opened.expiresAt);
    await stopOldChannel(run, connection);
    return true;
  } catch (error) {
    if (error instanceof CalendarAccessLostError || error instanceof LeaseLostError) throw error;
    context.log.warn({ err: error }, 'opening a watch channel failed; polling instead');
    await saveChannel(run, null, null, add24HourDays(now, RETRY_DAYS));
    return false;
  }
}

async function saveChannel(
  run: SyncRun,
  id: string | null,
  resource: string | null,
  expiresAt: Date,
): Promise<void> {
  const { context, tutorId } = run;
  await context.db.tutorTransactionUnlocked(tutorId, async (tx) => {
    await run.assertLease(tx);
    await updateConnection(tx, tutorId, {
      channel_id: id,
      channel_resource: resource,
      channel_expires_at: expiresAt,
    });
    await deleteChannels(tx, tutorId, id);
  });
}

/** Best effort: the channel expires anyway, and extra notifications are harmless. */
async function stopOldChannel(run: SyncRun, connection: CalendarConnection): Promise<void> {
  if (!connection.channelId || !connection.channelResource) return;
  const old = { id: connection.channelId, resource: connection.channelResource };
  try {
    await run.calendar.stopWatching(old);
  } catch (error) {
    run.context.log.info({ err: error }, 'stopping an old watch channel failed');
  }
}

/** Accepts a notification only with the channel's token. A notification only schedules a sync. */
export async function handlePushNotification(
  context: Context,
  notification: { channelId: string; token: string },
): Promise<{ received: boolean }> {
  const channel = await channelById(context.db.global, notification.channelId.slice(0, 100));
  if (!channel?.tokenHash.equals(sha256(notification.token))) return { received: false };
  await context.db.tutorTransactionUnlocked(channel.tutorId, (tx) =>
    requestSync(context, tx, channel.tutorId),
  );
  return { received: true };
}
