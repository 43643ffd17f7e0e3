import type { CalendarFeed } from '@lessonbook/contract/calendar';
import { addDaysToDate, addMonthsToDate } from '@lessonbook/contract/dates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import type { EtagFileResponse } from '../../../platform/http/file-responses.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import {
  createSharedLinks,
  findSharedLink,
  replaceSharedLink,
  sharedLinkToken,
} from '../../../platform/payment-and-feed-link-tokens.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { readUser, toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { FEED_ID, feedLink, feedSessions, feedTimeOff } from '../queries/ics-feed.ts';
import { writeIcsFeed } from './ics-writer.ts';

const DAYS_BACK = 90;
/** Series are generated a year ahead, but a one-off lesson may be later. */
const MONTHS_AHEAD = 24;

const feedDateRange = (today: string): { from: string; to: string } => ({
  from: addDaysToDate(today, -DAYS_BACK),
  to: addMonthsToDate(today, MONTHS_AHEAD),
});

/** Some calendar apps poll every few minutes, and a tutor may use several. Requests with an unknown token are not counted. */
const feedReadsByTutor: RateLimit = { name: 'calendar-feed', burst: 600, perSeconds: 3600 };

/** Returns the feed URL, creating it on first use. */
export async function showFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const now = context.clock.now();
    await createSharedLinks(tx, tutorId, 'feed', [FEED_ID], now);
    const [link] = await feedLink(tx, tutorId).execute();
    await recordAudit(tx, tutorId, { action: 'feed_shown', at: now });
    await notifyOwner(context, tx, tutorId, 'feed-shown');
    return toFeedUrl(context, link?.linkKey as string);
  });
}

/** The old URL stops working immediately. */
export async function rotateFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const now = context.clock.now();
    await createSharedLinks(tx, tutorId, 'feed', [FEED_ID], now);
    await recordAudit(tx, tutorId, { action: 'feed_replaced', at: now });
    await notifyOwner(context, tx, tutorId, 'feed-replaced');
    const linkKey = await replaceSharedLink(tx, tutorId, 'feed', FEED_ID);
    return toFeedUrl(context, linkKey as string);
  });
}

const toFeedUrl = ({ config }: Context, linkKey: string): CalendarFeed => ({
  url: `${config.origin}/api/calendar/feeds/${sharedLinkToken(config, 'feed', linkKey)}.ics`,
});

/**
 * The ETag consists of the revision, which every change to the tutor's data increments, and today's date, which determines the
 * date range. Both are read before the content, so that older content never gets a newer ETag.
 */
export async function readFeed(context: Context, token: string): Promise<EtagFileResponse> {
  const link = await findSharedLink(context.db, context.config, token);
  if (link?.kind !== 'feed') {
    throw new AppError('not_found', "This calendar address doesn't exist or has been replaced.");
  }
  const { tutorId } = link;
  await context.limiter.consume(feedReadsByTutor, tutorId);
  const { revision, today } = await readUser(context, tutorId);
  return {
    name: 'lessonbook.ics',
    etag: `${revision}-${today}`,
    readBody: async () => {
      const { from, to } = feedDateRange(today);
      const [tutors, sessions, timeOffRanges] = await context.db.tutorRead(tutorId, (tx) => [
        tutorQuery(tx, tutorId),
        feedSessions(tx, tutorId, from, to),
        feedTimeOff(tx, tutorId, from, to),
      ]);
      const { timeZone } = toTutorOrThrow(tutors);
      const { origin } = context.config;
      return writeIcsFeed({ origin, tutorId, timeZone, from, to, sessions, timeOffRanges });
    },
  };
}
