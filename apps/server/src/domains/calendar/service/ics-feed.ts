import type { CalendarFeed } from '@lessonbook/contract/calendar';
import { addDaysToDate, addMonthsToDate } from '@lessonbook/contract/dates';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { recordAudit } from '../../../platform/audit-log.ts';
import { randomToken, sha256 } from '../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { EtagFileResponse } from '../../../platform/http/file-response-types.ts';
import type { RateLimit } from '../../../platform/http/rate-limiter.ts';
import {
  addPublicLinks,
  readPublicLink,
  removePublicLink,
} from '../../../platform/public-link-store.ts';
import { notifyOwner } from '../../accounts/service/email/security-email.ts';
import { readUser, toTutorOrThrow, tutorQuery } from '../../accounts/service/profile/read-tutor.ts';
import { feedSessions, feedTokenByTutor, saveFeedToken } from '../queries/ics-feed.ts';
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

/** Each tutor has one feed. */
const SINGLE_FEED_ID = 1;

/** Returns the feed URL, creating it on first use. */
export async function showFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const existing = await feedTokenByTutor(tx, tutorId).executeTakeFirst();
    await recordAudit(tx, tutorId, { action: 'feed_shown', at: context.clock.now() });
    await notifyOwner(context, tx, tutorId, 'feed-shown');
    return toFeedUrl(context, existing?.token ?? (await createFeedToken(context, tx, tutorId)));
  });
}

/** The old URL stops working immediately. */
export async function rotateFeedUrl(context: Context, tutorId: string): Promise<CalendarFeed> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const old = await feedTokenByTutor(tx, tutorId).executeTakeFirst();
    if (old) await removePublicLink(tx, old.token);
    await recordAudit(tx, tutorId, { action: 'feed_replaced', at: context.clock.now() });
    await notifyOwner(context, tx, tutorId, 'feed-replaced');
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
 * The ETag is made of the revision, which every change to the tutor's data increments, and today's date, which determines the
 * date range. Both are read before the content, so that older content never gets a newer ETag.
 */
export async function readFeed(context: Context, token: string): Promise<EtagFileResponse> {
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'feed') {
    throw new AppError('not_found', 'This calendar address is not known, or was replaced.');
  }
  const { tutorId } = link;
  await context.limiter.consume(feedReadsByTutor, tutorId);
  const { revision, today } = await readUser(context, tutorId);
  return {
    name: 'lessonbook.ics',
    etag: `${revision}-${today}`,
    readBody: async () => {
      const { from, to } = feedDateRange(today);
      const [tutors, sessions] = await context.db.tutorRead(tutorId, (tx) => [
        tutorQuery(tx, tutorId),
        feedSessions(tx, tutorId, from, to),
      ]);
      const { timeZone } = toTutorOrThrow(tutors);
      return writeIcsFeed({ origin: context.config.origin, timeZone, from, to, sessions });
    },
  };
}
