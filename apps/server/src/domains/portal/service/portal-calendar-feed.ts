import { addDaysToDate, addMonthsToDate } from '@lessonbook/contract/dates';
import type { PortalFeed } from '@lessonbook/contract/portal-feed';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeAsContact } from '../../../platform/db/execute-statement-batch.ts';
import { type Contact, signedOutError } from '../../../platform/http/authentication.ts';
import type { EtagFileResponse } from '../../../platform/http/file-responses.ts';
import {
  createSharedLinks,
  findSharedLink,
  replaceSharedLink,
  sharedLinkId,
  sharedLinkToken,
} from '../../../platform/payment-and-feed-link-tokens.ts';
import { readUser } from '../../accounts/service/profile/read-tutor.ts';
import { writeLessonFeed } from '../../calendar/service/ics-writer.ts';
import { activeContactAccess } from '../queries/contact-access.ts';
import {
  deleteContactFeed,
  findContactFeed,
  insertContactFeed,
} from '../queries/contact-calendar-feeds.ts';
import { findPortalLoginAddress } from '../queries/contact-directory-and-portal-logins.ts';
import { portalAccess, portalFeedLessons, portalTutor } from '../queries/portal-views.ts';
import { toPortalStudent } from '../rules/portal-student.ts';
import { addressKind } from '../rules/sign-in.ts';
import { feedChangesByContact, feedReadsByContact } from './rate-limits.ts';

const DAYS_BACK = 30;
const MONTHS_AHEAD = 12;

export async function showPortalFeed(context: Context, contact: Contact): Promise<PortalFeed> {
  const { tutorId, contactId } = contact;
  const [[feed]] = await context.db.tutorRead(tutorId, (tx) => [
    findContactFeed(tx, tutorId, contactId),
  ]);
  return toPortalFeed(context, feed?.linkKey);
}

/** Creates the feed, or replaces its URL. The version is increased even if the feed was deleted, so no old URL works again. */
export async function createPortalFeed(context: Context, contact: Contact): Promise<PortalFeed> {
  const { tutorId, contactId } = contact;
  await context.limiter.consume(feedChangesByContact, `${tutorId} ${contactId}`);
  const address = await findPortalLoginAddress(context.db.global, contact.loginId);
  if (address === undefined) throw signedOutError();
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const [access] = await executeAsContact(tx, contact, [portalAccess(tx)]);
    if (access.length === 0) throw signedOutError();
    if (!seesLessons(access.map(toPortalStudent), contact.students))
      throw new AppError(
        'forbidden',
        "Your tutor isn't sharing any lessons with you. If you think that's a mistake, please ask them.",
      );
    const now = context.clock.now();
    await insertContactFeed(tx, { tutorId, contactId, provenBy: addressKind(address), now });
    await createSharedLinks(tx, tutorId, 'contact_feed', [contactId], now);
    const linkKey = await replaceSharedLink(tx, tutorId, 'contact_feed', contactId);
    return toPortalFeed(context, linkKey);
  });
}

/** Deleting it again changes nothing. */
export async function deletePortalFeed(context: Context, contact: Contact): Promise<PortalFeed> {
  const { tutorId, contactId } = contact;
  await context.db.tutorTransaction(tutorId, (tx) => deleteContactFeed(tx, tutorId, contactId));
  return { url: null };
}

const toPortalFeed = ({ config }: Context, linkKey: string | null | undefined): PortalFeed => ({
  url: linkKey
    ? `${config.origin}/api/portal/feeds/${sharedLinkToken(config, 'contact_feed', linkKey)}.ics`
    : null,
});

/** Both the view and the application's own check must allow the contact to see lessons. */
const seesLessons = (
  viewed: readonly { id: number; seesLessons: boolean }[],
  read: readonly { id: number; seesLessons: boolean }[],
): boolean =>
  viewed.some(
    (student) =>
      student.seesLessons && read.some((each) => each.id === student.id && each.seesLessons),
  );

/**
 * Access is checked before the ETag is compared, so that a calendar app is refused at the first read after access has
 * ended. As for the tutor's own feed, the ETag is made from the revision and today's date, which are read before
 * the content.
 */
export async function readPortalFeed(context: Context, token: string): Promise<EtagFileResponse> {
  const { config, db, limiter, clock } = context;
  const now = clock.now();
  const link = await findSharedLink(db, config, token);
  if (link?.kind !== 'contact_feed') throw feedNotFound();
  await limiter.consume(feedReadsByContact, sharedLinkId(link));
  const { tutorId, targetId: contactId } = link;
  const { revision, today } = await readUser(context, tutorId);
  const [[feed], access] = await db.tutorRead(tutorId, (tx) => [
    findContactFeed(tx, tutorId, contactId),
    activeContactAccess(tx, tutorId, contactId, now),
  ]);
  const students = new Map(
    access
      .map(toPortalStudent)
      .filter((student) => student.seesLessons)
      .map((student) => [student.id, student]),
  );
  if (!feed || students.size === 0) throw feedNotFound();
  return {
    name: 'lessons.ics',
    etag: `${revision}-${today}`,
    readBody: async () => {
      const from = addDaysToDate(today, -DAYS_BACK);
      const to = addMonthsToDate(today, MONTHS_AHEAD);
      const [[tutor], rows] = await db.contactRead(
        { tutorId, contactId, loginId: 'feed', at: now },
        (tx) => [portalTutor(tx), portalFeedLessons(tx, from, to)],
      );
      if (!tutor) throw feedNotFound();
      return writeLessonFeed({
        origin: config.origin,
        name: `Lessons with ${tutor.name}`,
        timeZone: tutor.timeZone,
        from,
        to,
        lessons: rows.flatMap((row) => {
          const student = students.get(row.studentId);
          if (!student) return [];
          const { publicId, sequence, startsAt, endsAt, state } = row;
          return [
            {
              // Siblings may be in the same lesson.
              uid: `${publicId}-${row.studentId}`,
              sequence,
              createdAt: row.bookedAt,
              startsAt,
              endsAt,
              summary: `${student.name}: ${row.subjectName}`,
              place: student.seesPlace ? row.place : null,
              isCancelled: state === 'cancelled',
            },
          ];
        }),
      });
    },
  };
}

const feedNotFound = (): AppError =>
  new AppError('not_found', "This calendar address doesn't exist or has been replaced.");
