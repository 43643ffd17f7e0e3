import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { PageDescription } from '../../../../platform/http/page-description.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { readPublicLink } from '../../../../platform/public-link-store.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { deleteAddressReport, insertAddressReport } from '../../queries/address-reports.ts';
import { type MessageRecord, messageById } from '../../queries/messages.ts';
import { suppress } from '../../queries/suppressions.ts';
import { reportedMessage } from '../../rules/recipients.ts';
import { notify } from '../notifications/notifications.ts';

/** Recipients cannot unsubscribe from invoices and receipts. */
export const UNSUBSCRIBABLE_KINDS = new Set(['lesson_reminder', 'payment_reminder']);

/** One token per tutor and address; the database stores only its hash. */
export const unsubscribeToken = (context: Context, tutorId: string, address: string): string =>
  `u_${deriveToken(context.config.secretKey, 'unsubscribe', `${tutorId} ${address.toLowerCase()}`)}`;

const unsubscribeByNetwork: RateLimit = { name: 'unsubscribe-network', burst: 30, perSeconds: 600 };
/** Separate, because mail scanners open many links from one network. */
const unsubscribePageByNetwork: RateLimit = {
  name: 'unsubscribe-page-network',
  burst: 300,
  perSeconds: 600,
};

/** Idempotent. */
export const unsubscribe = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, { channel, address }) => {
    const now = context.clock.now();
    await suppress(tx, tutorId, { channel, address, reason: 'unsubscribed', now });
  });

/** The tutor can no longer send anything to the address, and is notified. Idempotent. */
export const reportEmail = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, message) => {
    const now = context.clock.now();
    if (!(await insertAddressReport(tx, tutorId, message.address, now))) return;
    context.log.warn({ tutorId }, 'a recipient reported an email from this tutor');
    const { timeZone } = await getTutor(tx, tutorId);
    await notify(context, tx, tutorId, {
      kind: 'message_failed',
      // At most one a day, even if the recipient reports and withdraws repeatedly.
      dedupeKey: `report ${message.id} ${dateInZone(timeZone, now)}`,
      text: reportedMessage(message),
      path: message.familyId === null ? null : `/families/${message.familyId}`,
      requiresAction: true,
    });
  });

/** For a report made by mistake. Reports about other tutors are kept. Idempotent. */
export const withdrawReport = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, message) => {
    if (!(await deleteAddressReport(tx, tutorId, message.address))) return;
    const now = context.clock.now();
    const { timeZone } = await getTutor(tx, tutorId);
    await notify(context, tx, tutorId, {
      kind: 'message_failed',
      dedupeKey: `report ${message.id} withdrawn ${dateInZone(timeZone, now)}`,
      text: `You can email ${message.toName} again. They reported your emails by mistake.`,
      path: message.familyId === null ? null : `/families/${message.familyId}`,
      requiresAction: false,
    });
    // Corrections that were left out can be sent now.
    await scheduleWork(tx, tutorId, REMINDERS_WORK, now);
  });

export const UNSUBSCRIBE_PAGE: PageDescription = {
  title: 'Email reminders',
  description: 'Choose which emails you receive.',
};

/** For link previews. */
export async function describeUnsubscribePage(
  context: Context,
  token: string,
  requestContext: Pick<RequestContext, 'network'>,
): Promise<PageDescription> {
  await context.limiter.consume(unsubscribePageByNetwork, requestContext.network);
  const { tutorId } = await findUnsubscribeLink(context, token);
  const { name } = await context.db.tutorSnapshot(tutorId, (tx) => getTutor(tx, tutorId));
  return { ...UNSUBSCRIBE_PAGE, title: `Reminders from ${name}` };
}

async function findUnsubscribeLink(
  context: Context,
  token: string,
): Promise<{ tutorId: string; targetId: number }> {
  const link = await readPublicLink(context.db, token);
  if (link?.kind !== 'unsubscribe') {
    throw new AppError('not_found', 'This link is not known. Please answer the mail instead.');
  }
  return link;
}

/** Finds a message to the recipient by the token in its unsubscribe link. */
async function withRecipient(
  context: Context,
  token: string,
  requestContext: RequestContext,
  action: (tx: Tx, tutorId: string, message: MessageRecord) => Promise<void>,
): Promise<{ tutorName: string }> {
  await context.limiter.consume(unsubscribeByNetwork, requestContext.network);
  const { tutorId, targetId } = await findUnsubscribeLink(context, token);
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    await action(tx, tutorId, message);
    return { tutorName: (await getTutor(tx, tutorId)).name };
  });
}
