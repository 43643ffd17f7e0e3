import type { Context } from '../../../../context.ts';
import type { FailureReason } from '../../../../integrations/whatsapp.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type MessageRecord, updateMessage } from '../../queries/messages.ts';
import { endConsent } from '../../queries/whatsapp-consents-and-opt-outs.ts';
import { notify } from '../notifications/notifications.ts';
import { toE164 } from './eligibility.ts';
import { renderWhatsAppMessage } from './render-message.ts';

const FAILURE_TEXT: Record<FailureReason, string> = {
  number: "WhatsApp can't reach this number. Please check it.",
  opted_out: "They don't want WhatsApp messages from Lessonbook. Please contact them another way.",
  message: 'WhatsApp rejected the message.',
  configuration: "WhatsApp couldn't deliver the message.",
  retryable: "WhatsApp couldn't deliver the message.",
};

/**
 * Turns a failed WhatsApp message into a draft based on the tutor's template and notifies the tutor. No draft is created if
 * the person has opted out. Consent is removed for a number that is unreachable or has opted out.
 */
export async function fallBackToDraft(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  reason: FailureReason,
): Promise<void> {
  const now = context.clock.now();
  const number = toE164(message.address);
  if (number && (reason === 'number' || reason === 'opted_out')) {
    await endConsent(tx, tutorId, number, now);
  }
  const content = await renderWhatsAppMessage(context, tx, tutorId, message);
  const [state, advice] =
    reason === 'opted_out'
      ? ['skipped', '']
      : content
        ? ['draft', " It's saved in Messages: please send it yourself."]
        : ['failed', " It's too late to send it now."];
  const problem = FAILURE_TEXT[reason] + advice;
  const change =
    state === 'draft' && content ? { subject: content.subject, text: content.text } : {};
  await updateMessage(tx, tutorId, message.id, {
    state,
    failure_reason: problem,
    sent_at: null,
    ...change,
  });
  await notify(context, tx, tutorId, {
    kind: 'message_failed',
    dedupeKey: `message ${message.id} failed ${now.toISOString()}`,
    text: `A message to ${message.toName} couldn't be sent. ${problem}`,
    path: `/messages?message=${message.id}`,
    requiresAction: state !== 'skipped',
    targetId: message.id,
  });
}
