import { randomUUID } from 'node:crypto';
import { addDays } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { CalendarAccessLost } from '../../../integrations/calendar.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import { channelById, forgetChannels, insertChannel } from '../queries/channels.ts';
import { type CalendarLink, updateLink } from '../queries/links.ts';
import { wish } from './plan.ts';
import type { Visit } from './visit.ts';

/** Renewed this long before it ends. */
const RENEW_DAYS = 1;
/** Where no channel can be had, it is tried again after about an hour. */
const TRY_AGAIN_DAYS = RENEW_DAYS + 1 / 24;

/** Lets Google tell us when something changes. Gives whether it does; without it we ask more often. */
export async function keepWatch(visit: Visit, link: CalendarLink): Promise<boolean> {
  const { context, tutorId } = visit;
  const now = context.clock.now();
  const expiresAt = link.channelExpiresAt;
  if (expiresAt && expiresAt > addDays(now, RENEW_DAYS)) return link.channelId !== null;
  const channel = { id: randomUUID(), token: randomToken() };
  // Before it is opened: the first call may come before the answer.
  const known = { id: channel.id, tutorId, tokenHash: sha256(channel.token) };
  await context.db.inGlobal((tx) => insertChannel(tx, { ...known, expiresAt: addDays(now, 30) }));
  try {
    const opened = await visit.calendar.watch(visit.calendarId, channel);
    await remember(context, tutorId, opened.id, opened.resource, opened.expiresAt);
    await stopOld(visit, link);
    return true;
  } catch (error) {
    if (error instanceof CalendarAccessLost) throw error;
    context.log.warn({ err: error }, 'the calendar does not tell us of changes; we ask instead');
    await remember(context, tutorId, null, null, addDays(now, TRY_AGAIN_DAYS));
    return false;
  }
}

async function remember(
  context: Context,
  tutorId: string,
  id: string | null,
  resource: string | null,
  expiresAt: Date,
): Promise<void> {
  await context.db.besideTutor(tutorId, async (tx) => {
    await updateLink(tx, tutorId, {
      channel_id: id,
      channel_resource: resource,
      channel_expires_at: expiresAt,
    });
    await forgetChannels(tx, tutorId, id);
  });
}

/** It would end by itself; a call too many does no harm. */
async function stopOld(visit: Visit, link: CalendarLink): Promise<void> {
  if (!link.channelId || !link.channelResource) return;
  const old = { id: link.channelId, resource: link.channelResource };
  try {
    await visit.calendar.stopWatching(old);
  } catch (error) {
    visit.context.log.info({ err: error }, 'an old channel was not stopped');
  }
}

/** Somebody says that a calendar changed. Only who holds the channel's own secret is believed, and only that much. */
export async function takeNews(
  context: Context,
  said: { channelId: string; token: string },
): Promise<{ received: boolean }> {
  const channel = await channelById(context.db.global, said.channelId.slice(0, 100));
  if (!channel?.tokenHash.equals(sha256(said.token))) return { received: false };
  await context.db.besideTutor(channel.tutorId, (tx) => wish(context, tx, channel.tutorId));
  return { received: true };
}
