import type { CalendarFeed } from '@lessonbook/contract/calendar';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { audit } from '../../../platform/audit.ts';
import { randomToken, sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import type { TaggedReply } from '../../../platform/file-replies.ts';
import {
  addPublicLinks,
  readPublicLink,
  removePublicLink,
} from '../../../platform/public-links.ts';
import type { Limit } from '../../../platform/rate-limit.ts';
import { readUser } from '../../accounts/service/profile.ts';
import { feedSessions, feedTokenOf, saveFeedToken } from '../queries/feed.ts';
import { feedDates } from '../rules/feed-dates.ts';
import { feedText } from './feed-text.ts';

/** Programs look every hour, some every few minutes, and a tutor has several. Counted only where the address is known. */
const readingByTutor: Limit = { name: 'calendar-feed', burst: 600, perSeconds: 3600 };

/** There is one feed for each tutor, so there is nothing to count. */
const ONLY_ONE = 1;

/** The tutor's address; made when it is asked for first. */
export async function readFeedAddress(context: Context, tutorId: string): Promise<CalendarFeed> {
  const [[known]] = await context.db.readTutor(tutorId, (tx) => [feedTokenOf(tx, tutorId)]);
  if (known) return addressOf(context, known.token);
  return context.db.withTutor(tutorId, async (tx) => {
    // Somebody else may have been first while we waited for the lock.
    const made = await feedTokenOf(tx, tutorId).executeTakeFirst();
    return addressOf(context, made?.token ?? (await newToken(context, tx, tutorId)));
  });
}

/** The old address leads nowhere from the same moment on. */
export async function replaceFeedAddress(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.withTutor(tutorId, async (tx) => {
    const old = await feedTokenOf(tx, tutorId).executeTakeFirst();
    if (old) await removePublicLink(tx, old.token);
    await audit(tx, tutorId, { act: 'feed_replaced', at: context.clock.now() });
    return addressOf(context, await newToken(context, tx, tutorId));
  });
}

async function newToken(context: Context, tx: Tx, tutorId: string): Promise<string> {
  const token = randomToken(24);
  const now = context.clock.now();
  await saveFeedToken(tx, tutorId, { token, now });
  await addPublicLinks(tx, [
    { tokenHash: sha256(token), tutorId, kind: 'feed', targetId: ONLY_ONE, now },
  ]);
  return token;
}

const addressOf = (context: Context, token: string): CalendarFeed => ({
  url: `${context.config.origin}/api/calendar/feeds/${token}.ics`,
});

/**
 * The schedule behind an address. Every change of the book raises the tutor's revision, and the dates shown follow from
 * today's: the two say whether anything can have changed. They are read before the sessions, never after, so that an
 * older text never stands under a newer tag.
 */
export async function readFeed(context: Context, token: string): Promise<TaggedReply> {
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'feed') {
    throw new AppError('not_found', 'This calendar address is not known, or was replaced.');
  }
  const { tutorId } = link;
  await context.limiter.take(readingByTutor, tutorId);
  const { revision, today, timeZone } = await readUser(context, tutorId);
  return {
    name: 'lessonbook.ics',
    tag: `${revision}-${today}`,
    read: async () => {
      const { from, to } = feedDates(today);
      const [sessions] = await context.db.readTutor(tutorId, (tx) => [
        feedSessions(tx, tutorId, from, to),
      ]);
      return feedText({ origin: context.config.origin, timeZone, from, to, sessions });
    },
  };
}
