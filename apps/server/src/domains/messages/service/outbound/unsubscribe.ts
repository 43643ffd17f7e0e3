import type { FamilyReminders, ReminderPreferences } from '@lessonbook/contract/email-preferences';
import { REMINDER_KINDS, type ReminderKind } from '@lessonbook/contract/messages';
import { dateInZone } from '@lessonbook/contract/time';
import { Counter } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { deriveToken } from '../../../../platform/crypto/tokens.ts';
import { afterCommit, type Tx } from '../../../../platform/db/database.ts';
import { readPublicLink } from '../../../../platform/find-message-by-public-token.ts';
import type { PageDescription } from '../../../../platform/http/public-page-metadata.ts';
import type { RateLimit } from '../../../../platform/http/rate-limiter.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getAccountStatement } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import { type MessageRecord, messageById } from '../../queries/messages.ts';
import {
  deleteAddressReport,
  insertAddressReport,
} from '../../queries/recipient-reports-of-unwanted-email.ts';
import { findStoppedKinds } from '../../queries/reminder-opt-outs.ts';
import { reportedMessage } from '../../rules/recipients.ts';
import { notify } from '../notifications/notifications.ts';
import { replaceStoppedKinds } from '../reminders/save-reminder-opt-outs.ts';
import { hasOptedOut } from '../whatsapp/eligibility.ts';

/** One token per tutor and address; the database stores only its hash. */
export const unsubscribeToken = (
  context: { config: { readonly secretKey: Buffer } },
  tutorId: string,
  address: string,
): string =>
  `u_${deriveToken(context.config.secretKey, 'unsubscribe', `${tutorId} ${address.toLowerCase()}`)}`;

const unsubscribeByNetwork: RateLimit = { name: 'unsubscribe-network', burst: 30, perSeconds: 600 };
/** Separate, because mail scanners open many links from one network. */
const unsubscribePageByNetwork: RateLimit = {
  name: 'unsubscribe-page-network',
  burst: 300,
  perSeconds: 600,
};

export async function readReminderPreferences(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<ReminderPreferences> {
  await context.limiter.consume(unsubscribePageByNetwork, requestContext.network);
  const { tutorId, targetId } = await findUnsubscribeLink(context, token);
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    return getReminderPreferences(tx, tutorId, message);
  });
}

/** Stops the given kinds and starts the others again. The tutor is notified. Idempotent. */
export const saveReminderPreferences = (
  context: Context,
  token: string,
  stoppedKinds: readonly ReminderKind[],
  requestContext: RequestContext,
): Promise<ReminderPreferences> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, message) => {
    const { id, toName: name, address: email, familyId } = message;
    const recipient = { key: String(id), name, email, familyId };
    await replaceStoppedKinds(context, tx, tutorId, recipient, stoppedKinds);
    return getReminderPreferences(tx, tutorId, message);
  });

/** One-click unsubscribe (RFC 8058) from all kinds of reminders. */
export const unsubscribe = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<ReminderPreferences> =>
  saveReminderPreferences(context, token, REMINDER_KINDS, requestContext);

const getReminderPreferences = async (
  tx: Tx,
  tutorId: string,
  { address }: MessageRecord,
): Promise<ReminderPreferences> => ({
  tutorName: (await getTutor(tx, tutorId)).name,
  stoppedKinds: await findStoppedKinds(tx, tutorId, address),
});

/** For the tutor. */
export async function readFamilyReminders(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<FamilyReminders> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const { email, phone } = await getAccountStatement(tx, tutorId, familyId);
    return {
      stoppedKinds: email === null ? [] : await findStoppedKinds(tx, tutorId, email),
      hasStoppedWhatsApp: phone !== null && (await hasOptedOut(tx, phone)),
    };
  });
}

const reportsTotal = new Counter({
  name: 'lessonbook_address_reports_total',
  help: 'Addresses that have reported an email from a tutor',
});

/** The tutor can no longer send anything to the address, and is notified. Idempotent. */
export const reportEmail = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, message) => {
    const now = context.clock.now();
    const { name: tutorName, timeZone } = await getTutor(tx, tutorId);
    if (!(await insertAddressReport(tx, tutorId, message.address, now))) return { tutorName };
    afterCommit(tx, () => reportsTotal.inc());
    context.log.warn({ tutorId }, 'a recipient reported an email from this tutor');
    await notify(context, tx, tutorId, {
      kind: 'message_failed',
      // At most one a day, even if the recipient reports and withdraws repeatedly.
      dedupeKey: `report ${message.id} ${dateInZone(timeZone, now)}`,
      text: reportedMessage(message),
      path: message.familyId === null ? null : `/families/${message.familyId}`,
      requiresAction: true,
    });
    return { tutorName };
  });

/** For a report made by mistake. Reports about other tutors are kept. Idempotent. */
export const withdrawReport = (
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<{ tutorName: string }> =>
  withRecipient(context, token, requestContext, async (tx, tutorId, message) => {
    const { name: tutorName, timeZone } = await getTutor(tx, tutorId);
    if (!(await deleteAddressReport(tx, tutorId, message.address))) return { tutorName };
    const now = context.clock.now();
    await notify(context, tx, tutorId, {
      kind: 'message_failed',
      dedupeKey: `report ${message.id} withdrawn ${dateInZone(timeZone, now)}`,
      text: `You can email ${message.toName} again. They reported your emails by mistake.`,
      path: message.familyId === null ? null : `/families/${message.familyId}`,
      requiresAction: false,
    });
    // Corrections that were left out can be sent now.
    await scheduleWork(tx, tutorId, REMINDERS_WORK, now);
    return { tutorName };
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
    throw new AppError(
      'not_found',
      "This link doesn't work any more. Please reply to the email instead.",
    );
  }
  return link;
}

/** Finds a message to the recipient by the token in its unsubscribe link. */
async function withRecipient<T>(
  context: Context,
  token: string,
  requestContext: RequestContext,
  action: (tx: Tx, tutorId: string, message: MessageRecord) => Promise<T>,
): Promise<T> {
  await context.limiter.consume(unsubscribeByNetwork, requestContext.network);
  const { tutorId, targetId } = await findUnsubscribeLink(context, token);
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, targetId).executeTakeFirstOrThrow();
    return action(tx, tutorId, message);
  });
}
