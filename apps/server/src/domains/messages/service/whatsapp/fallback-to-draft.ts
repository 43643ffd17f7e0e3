import type { Context } from '../../../../context.ts';
import type { FailureReason } from '../../../../integrations/whatsapp.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type MessageRecord, updateMessage } from '../../queries/messages.ts';
import { endConsent } from '../../queries/whatsapp.ts';
import { notify } from '../notifications/notifications.ts';
import { toE164 } from './eligibility.ts';
import { renderWhatsAppMessage } from './render-message.ts';

const FAILURE_REASONS: Record<FailureReason, string> = {
  number: 'WhatsApp does not reach this number. Please check it.',
  'opted out': 'They want no WhatsApp messages from Lessonbook. Please reach them in another way.',
  message: 'WhatsApp refused the message.',
  setup: 'WhatsApp could not deliver the message.',
  later: 'WhatsApp could not deliver the message.',
};

/**
 * WhatsApp could not do it: the message lies in the tray in the tutor's own words, as if nobody had agreed, and the tutor is
 * told. Whoever wants no messages gets no draft either. A number that is not reached is not tried again by itself.
 */
export async function fallBackToDraft(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  why: FailureReason,
): Promise<void> {
  const now = context.clock.now();
  const number = toE164(message.address);
  if (number && (why === 'number' || why === 'opted out')) {
    await endConsent(tx, tutorId, number, now);
  }
  const content = await renderWhatsAppMessage(context, tx, tutorId, message);
  const [state, what] =
    why === 'opted out'
      ? ['skipped', '']
      : content
        ? ['draft', ' It lies in the tray: please send it yourself.']
        : ['failed', ' It is too late to send it now.'];
  const problem = FAILURE_REASONS[why] + what;
  const own = state === 'draft' && content ? { subject: content.subject, text: content.text } : {};
  await updateMessage(tx, tutorId, message.id, {
    state,
    failure_reason: problem,
    sent_at: null,
    ...own,
  });
  await notify(context, tx, tutorId, {
    kind: 'message_failed',
    dedupeKey: `message ${message.id} failed ${now.toISOString()}`,
    text: `A message to ${message.toName} could not be sent. ${problem}`,
    path: '/messages',
    requiresAction: true,
  });
}
