import type { Context } from '../../../../context.ts';
import { WhatsAppError } from '../../../../integrations/whatsapp.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { addPublicLinks } from '../../../../platform/message-link-tokens.ts';
import { WHATSAPP_MAX_ATTEMPTS } from '../../job-types.ts';
import { type MessageRecord, messageById, updateMessage } from '../../queries/messages.ts';
import { findOptOutTime } from '../../queries/whatsapp-consents-and-opt-outs.ts';
import { whatsAppDigits } from '../../rules/whatsapp-number-and-link.ts';
import { type FilledTemplate, renderTemplate } from '../../rules/whatsapp-templates.ts';
import { notify } from '../notifications/notifications.ts';
import { withPayLink } from '../outbound/pay-link-placeholder.ts';
import { queueCorrectionAfterSending } from '../outbound/queue-correction-after-sending.ts';
import { filterEligibleAddresses, hashNumber } from './eligibility.ts';
import { fallBackToDraft } from './fallback-to-draft.ts';
import { renderWhatsAppMessage } from './render-message.ts';

export interface PreparedWhatsApp {
  message: MessageRecord;
  filledTemplate: FilledTemplate;
}

const OPTED_OUT_TEXT =
  'They replied STOP, so reminders are no longer sent to them. They can reply START to get them again.';

/** Checks the consent and the content again, because either may have changed since the message was created. */
export async function prepareWhatsApp(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<PreparedWhatsApp | null> {
  const { id, address } = message;
  const content = message.automatic
    ? await renderWhatsAppMessage(context, tx, tutorId, message)
    : null;
  const eligibleAddresses = await filterEligibleAddresses(context, tx, tutorId, [address]);
  if (eligibleAddresses.size === 0 || !message.automatic) {
    const draft = content ? { subject: content.subject, text: content.text } : {};
    const state = content || !message.automatic ? 'draft' : 'skipped';
    await updateMessage(tx, tutorId, id, { state, ...draft });
    return null;
  }
  const optedOutAt = await findOptOutTime(tx, hashNumber(whatsAppDigits(address) ?? ''));
  if (optedOutAt) {
    await updateMessage(tx, tutorId, id, { state: 'skipped', failure_reason: OPTED_OUT_TEXT });
    await notifyOptedOut(context, tx, tutorId, message, optedOutAt);
    return null;
  }
  if (content === null) {
    await updateMessage(tx, tutorId, id, { state: 'skipped' });
    return null;
  }
  const attempts = message.attempts + 1;
  const text = renderTemplate(content.filledTemplate);
  await updateMessage(tx, tutorId, id, { attempts, text, vendor_id: null });
  await addWebhookLink(context, tx, tutorId, id, message.publicId);
  return { message: { ...message, attempts, text }, filledTemplate: content.filledTemplate };
}

/** Webhooks do not identify the tutor, so this link maps a webhook to the message. */
const addWebhookLink = (
  context: Context,
  tx: Tx,
  tutorId: string,
  targetId: number,
  token: string,
) =>
  addPublicLinks(tx, [
    { tokenHash: sha256(token), tutorId, kind: 'whatsapp', targetId, now: context.clock.now() },
  ]);

/** Notifies the tutor once per STOP, however many messages are skipped. */
const notifyOptedOut = (
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  optedOutAt: Date,
): Promise<void> =>
  notify(context, tx, tutorId, {
    kind: 'reminders_stopped',
    dedupeKey: `stopped ${message.address} ${optedOutAt.toISOString()}`,
    text: `${message.toName} replied STOP to WhatsApp reminders and won't receive any more.`,
    path: message.familyId === null ? '/messages' : `/families/${message.familyId}`,
    requiresAction: false,
  });

/**
 * Sends the message outside any transaction, then saves WhatsApp's id. WhatsApp has no idempotency keys, so after a crash in
 * between the family gets the message twice, unless a webhook reports the message as sent before the next attempt.
 */
export async function sendWhatsApp(
  context: Context,
  tutorId: string,
  { message, filledTemplate }: PreparedWhatsApp,
): Promise<void> {
  let vendorId: string;
  try {
    if (!context.whatsApp) throw new WhatsAppError('configuration', null);
    vendorId = await context.whatsApp.send({
      to: whatsAppDigits(message.address) ?? '',
      template: filledTemplate.template,
      parameters: filledTemplate.parameters.map((text) => withPayLink(context, text, message)),
      reference: message.publicId,
    });
  } catch (error) {
    const isFinal = await context.db.tutorTransaction(tutorId, (tx) =>
      recordRejection(context, tx, tutorId, message, error),
    );
    if (isFinal) return;
    throw error;
  }
  await context.db.tutorTransaction(tutorId, async (tx) => {
    // A webhook may already have updated the message.
    const current = await messageById(tx, tutorId, message.id).executeTakeFirst();
    if (current?.state === 'waiting') {
      await updateMessage(tx, tutorId, message.id, {
        state: 'sent',
        failure_reason: null,
        sent_at: context.clock.now(),
        vendor_id: vendorId,
      });
      await queueCorrectionAfterSending(context, tx, tutorId, [message.id]);
    }
    await addWebhookLink(context, tx, tutorId, message.id, vendorId);
  });
}

/** Returns true if the message will not be retried. */
async function recordRejection(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  error: unknown,
): Promise<boolean> {
  const reason = error instanceof WhatsAppError ? error.reason : 'retryable';
  if (reason === 'configuration') {
    context.log.error({ err: error }, 'WhatsApp rejected our token, account or templates');
  }
  // The response was lost, but a webhook has since reported the message as sent.
  const current = await messageById(tx, tutorId, message.id).executeTakeFirst();
  if (current?.state !== 'waiting') return true;
  const isRetryable = reason === 'retryable' || reason === 'configuration';
  if (isRetryable && message.attempts < WHATSAPP_MAX_ATTEMPTS) return false;
  await fallBackToDraft(context, tx, tutorId, message, reason);
  return true;
}
