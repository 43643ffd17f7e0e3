import type { CalendarFeed } from '@lessonbook/contract/calendar';
import { plusDays, plusMonths } from '@lessonbook/contract/dates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { EtagFileResponse } from '../../../platform/http/file-response.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import {
  addPublicLinks,
  readPublicLink,
  removePublicLink,
} from '../../../platform/public-links.ts';
import { readUser } from '../../accounts/service/profile/profile.ts';
import { feedSessions, feedTokenOf, saveFeedToken } from '../queries/ics-feed.ts';
import { writeIcsFeed } from './ics-writer.ts';

const DAYS_BACK = 90;
/** Series have rows for a year; a single lesson may be further off. */
const MONTHS_AHEAD = 24;

/** The dates that the feed shows. */
const feedDates = (today: string): { from: string; to: string } => ({
  from: plusDays(today, -DAYS_BACK),
  to: plusMonths(today, MONTHS_AHEAD),
});

/** Programs look every hour, some every few minutes, and a tutor has several. Counted only where the address is known. */
const feedReadsByTutor: RateLimit = { name: 'calendar-feed', burst: 600, perSeconds: 3600 };

/** There is one feed for each tutor, so there is nothing to count. */
const SINGLE_FEED_ID = 1;

/** The tutor's address; made when it is asked for first. */
export async function readFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  const [[known]] = await context.db.tutorRead(tutorId, (tx) => [feedTokenOf(tx, tutorId)]);
  if (known) return toFeedUrl(context, known.token);
  return context.db.tutorTransaction(tutorId, async (tx) => {
    // Somebody else may have been first while we waited for the lock.
    const made = await feedTokenOf(tx, tutorId).executeTakeFirst();
    return toFeedUrl(context, made?.token ?? (await createFeedToken(context, tx, tutorId)));
  });
}

/** The old address leads nowhere from the same moment on. */
export async function rotateFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const old = await feedTokenOf(tx, tutorId).executeTakeFirst();
    if (old) await removePublicLink(tx, old.token);
    await recordAudit(tx, tutorId, { act: 'feed_replaced', at: context.clock.now() });
    return toFeedUrl(context, await createFeedToken(context, tx, tutorId));
  });
}

async function createFeedToken(context: Context, tx: Tx, tutorId: string): Promise<string> {
  const token = randomToken(24);
  const now = context.clock.now();
  await saveFeedToken(tx, tutorId, { token, now });
  await addPublicLinks(tx, [
    { tokenHash: sha256(token), tutorId, kind: 'feed', targetId: SINGLE_FEED_ID, now },
  ]);
  return token;
}

const toFeedUrl = (context: Context, token: string): CalendarFeed => ({
  url: `${context.config.origin}/api/calendar/feeds/${token}.ics`,
});

/**
 * The schedule behind an address. Every change of the book raises the tutor's revision, and the dates shown follow from
 * today's: the two say whether anything can have changed. They are read before the sessions, never after, so that an
 * older text never stands under a newer tag.
 */
export async function readFeed(context: Context, token: string): Promise<EtagFileResponse> {
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'feed') {
    throw new AppError('not_found', 'This calendar address is not known, or was replaced.');
  }
  const { tutorId } = link;
  await context.limiter.consume(feedReadsByTutor, tutorId);
  const { revision, today, timeZone } = await readUser(context, tutorId);
  return {
    name: 'lessonbook.ics',
    etag: `${revision}-${today}`,
    readBody: async () => {
      const { from, to } = feedDates(today);
      const [sessions] = await context.db.tutorRead(tutorId, (tx) => [
        feedSessions(tx, tutorId, from, to),
      ]);
      return writeIcsFeed({ origin: context.config.origin, timeZone, from, to, sessions });
    },
  };
}
