import type { FamilyReminders, ReminderPreferences } from '@lessonbook/contract/email-preferences';
import { REMINDER_KINDS, type ReminderKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import type { RequestContext } from '../../../../platform/http/request-context.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getAccountStatement } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { type MessageRecord, messageById } from '../../queries/messages.ts';
import { findStoppedKinds } from '../../queries/reminder-opt-outs.ts';
import { replaceStoppedKinds } from '../reminders/save-reminder-opt-outs.ts';
import { hasOptedOut } from '../whatsapp/eligibility.ts';
import {
  findUnsubscribeLink,
  unsubscribePageByNetwork,
  withRecipient,
} from './unsubscribe-link.ts';

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

/** Stops the given kinds of reminders, restarts the others and notifies the tutor. Idempotent. */
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

/** Used by the tutor. */
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
