import { dateInZone } from '@lessonbook/contract/time';
import { Counter } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { afterCommit } from '../../../../platform/db/database.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { scheduleWork } from '../../../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { REMINDERS_WORK } from '../../job-types.ts';
import {
  deleteAddressReport,
  insertAddressReport,
} from '../../queries/recipient-reports-of-unwanted-email.ts';
import { reportedMessage } from '../../rules/cannot-send-texts.ts';
import { notify } from '../notifications/notifications.ts';
import { withRecipient } from './unsubscribe-link.ts';

const reportsTotal = new Counter({
  name: 'lessonbook_address_reports_total',
  help: 'Addresses that have reported an email from a tutor',
});

/** Prevents the tutor from emailing the address, and notifies the tutor. Idempotent. */
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
      // At most one notification a day, even if the recipient repeatedly reports the tutor and withdraws the report.
      dedupeKey: `report ${message.id} ${dateInZone(timeZone, now)}`,
      text: reportedMessage(message),
      path: message.familyId === null ? null : `/families/${message.familyId}`,
      requiresAction: true,
    });
    return { tutorName };
  });

/** Used for a report made by mistake. Reports about other tutors are kept. Idempotent. */
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
