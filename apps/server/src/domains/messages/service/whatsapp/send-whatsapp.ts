import type { Context } from '../../../../context.ts';
import { WhatsAppError } from '../../../../integrations/whatsapp.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { addPublicLinks } from '../../../../platform/public-links.ts';
import { type MessageRecord, messageById, updateMessage } from '../../queries/messages.ts';
import { suppressionOf } from '../../queries/suppressions.ts';
import { optedOutSince } from '../../queries/whatsapp.ts';
import { whatsAppDigits } from '../../rules/phone-number.ts';
import { type FilledTemplate, renderTemplate } from '../../rules/whatsapp-templates.ts';
import { MAX_ATTEMPTS } from '../job-types.ts';
import { notify } from '../notifications/notifications.ts';
import { filterAutoSendable, hashNumber } from './eligibility.ts';
import { fallBackToDraft } from './fallback-to-draft.ts';
import { renderWhatsAppMessage } from './render-message.ts';

export interface PreparedWhatsApp {
  message: MessageRecord;
  approved: FilledTemplate;
}

const OPTED_OUT_TEXT =
  'They wrote STOP, so nothing goes to them by itself. START from their phone begins it again.';

/** Reads it again: who agreed may have changed their mind, and what it says must be true in the moment it goes. */
export async function prepareWhatsApp(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<PreparedWhatsApp | null> {
  const { id, address, channel } = message;
  const content = message.automatic
    ? await renderWhatsAppMessage(context, tx, tutorId, message)
    : null;
  const going = await filterAutoSendable(context, tx, tutorId, [address]);
  if (going.size === 0 || !message.automatic) {
    const own = content ? { subject: content.subject, text: content.text } : {};
    const state = content || !message.automatic ? 'draft' : 'skipped';
    await updateMessage(tx, tutorId, id, { state, ...own });
    return null;
  }
  const stopped = await optedOutSince(tx, hashNumber(whatsAppDigits(address) ?? ''));
  if (stopped) {
    await updateMessage(tx, tutorId, id, { state: 'skipped', failure_reason: OPTED_OUT_TEXT });
    await notifyOptedOut(context, tx, tutorId, message, stopped);
    return null;
  }
  if (content === null || (await suppressionOf(tx, tutorId, channel, address))) {
    await updateMessage(tx, tutorId, id, { state: 'skipped' });
    return null;
  }
  const attempts = message.attempts + 1;
  const text = renderTemplate(content.approved);
  await updateMessage(tx, tutorId, id, { attempts, text, vendor_id: null });
  await addWebhookLink(context, tx, tutorId, id, message.publicId);
  return { message: { ...message, attempts, text }, approved: content.approved };
}

/** So that a webhook, which knows no tutor, finds the message again. */
const addWebhookLink = (
  context: Context,
  tx: Tx,
  tutorId: string,
  targetId: number,
  name: string,
) =>
  addPublicLinks(tx, [
    { tokenHash: sha256(name), tutorId, kind: 'whatsapp', targetId, now: context.clock.now() },
  ]);

/** Once for each STOP, however many messages are skipped for it. */
const notifyOptedOut = (
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  since: Date,
): Promise<void> =>
  notify(context, tx, tutorId, {
    kind: 'message_failed',
    dedupeKey: `stopped ${message.address} ${since.toISOString()}`,
    text: `${message.toName} wrote STOP to WhatsApp reminders, so nothing goes there by itself.`,
    path: '/messages',
    requiresAction: true,
  });

/**
 * Sends it outside any transaction and notes at once under which id WhatsApp took it. WhatsApp has no way to tell a repeat
 * from a second message: after a crash between its answer and our note the family gets it twice, unless its first webhook
 * arrives before the next try and says that it went.
 */
export async function sendWhatsApp(
  context: Context,
  tutorId: string,
  { message, approved }: PreparedWhatsApp,
): Promise<void> {
  let vendorId: string;
  try {
    if (!context.whatsApp) throw new WhatsAppError('setup', null);
    vendorId = await context.whatsApp.send({
      to: whatsAppDigits(message.address) ?? '',
      ...approved,
      reference: message.publicId,
    });
  } catch (error) {
    const done = await context.db.tutorTransaction(tutorId, (tx) =>
      recordRejection(context, tx, tutorId, message, error),
    );
    if (done) return;
    throw error;
  }
  await context.db.tutorTransaction(tutorId, async (tx) => {
    // News of it may have been faster than our own note.
    const current = await messageById(tx, tutorId, message.id).executeTakeFirst();
    if (current?.state === 'waiting') {
      await updateMessage(tx, tutorId, message.id, {
        state: 'sent',
        failure_reason: null,
        sent_at: context.clock.now(),
        vendor_id: vendorId,
      });
    }
    await addWebhookLink(context, tx, tutorId, message.id, vendorId);
  });
}

/** True when there is no point in trying again. */
async function recordRejection(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  error: unknown,
): Promise<boolean> {
  const why = error instanceof WhatsAppError ? error.reason : 'later';
  if (why === 'setup') {
    context.log.error({ err: error }, 'WhatsApp refuses our token, account or templates');
  }
  // The answer got lost, and a webhook has said meanwhile that it went.
  const current = await messageById(tx, tutorId, message.id).executeTakeFirst();
  if (current?.state !== 'waiting') return true;
  const again = why === 'later' || why === 'setup';
  if (again && message.attempts < MAX_ATTEMPTS) return false;
  await fallBackToDraft(context, tx, tutorId, message, why);
  return true;
}
