import type { Context } from '../../../context.ts';
import { WhatsAppRefusal } from '../../../integrations/whatsapp.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { addPublicLinks } from '../../../platform/public-links.ts';
import { type MessageRecord, messageById, updateMessage } from '../queries/messages.ts';
import { suppressionOf } from '../queries/suppressions.ts';
import { stoppedSince } from '../queries/whatsapp.ts';
import { type ApprovedWords, textOf } from '../rules/approved.ts';
import { whatsAppDigits } from '../rules/whatsapp.ts';
import { goingByThemselves, numberHash } from './by-itself.ts';
import { giveBack } from './give-back.ts';
import { notify } from './inbox.ts';
import { TRIES } from './send-job.ts';
import { wordsNow } from './words-now.ts';

export interface ReadyForWhatsApp {
  message: MessageRecord;
  approved: ApprovedWords;
}

const STOPPED =
  'They wrote STOP, so nothing goes to them by itself. START from their phone begins it again.';

/** Reads it again: who agreed may have changed their mind, and what it says must be true in the moment it goes. */
export async function makeWhatsAppReady(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
): Promise<ReadyForWhatsApp | null> {
  const { id, address, channel } = message;
  const words = message.automatic ? await wordsNow(context, tx, tutorId, message) : null;
  const going = await goingByThemselves(context, tx, tutorId, [address]);
  if (going.size === 0 || !message.automatic) {
    const own = words ? { subject: words.subject, text: words.text } : {};
    const state = words || !message.automatic ? 'draft' : 'skipped';
    await updateMessage(tx, tutorId, id, { state, ...own });
    return null;
  }
  const stopped = await stoppedSince(tx, numberHash(whatsAppDigits(address) ?? ''));
  if (stopped) {
    await updateMessage(tx, tutorId, id, { state: 'skipped', failure_reason: STOPPED });
    await tellStopped(context, tx, tutorId, message, stopped);
    return null;
  }
  if (words === null || (await suppressionOf(tx, tutorId, channel, address))) {
    await updateMessage(tx, tutorId, id, { state: 'skipped' });
    return null;
  }
  const attempts = message.attempts + 1;
  const text = textOf(words.approved);
  await updateMessage(tx, tutorId, id, { attempts, text, vendor_id: null });
  await linkBack(context, tx, tutorId, id, message.publicId);
  return { message: { ...message, attempts, text }, approved: words.approved };
}

/** So that a webhook, which knows no tutor, finds the message again. */
const linkBack = (context: Context, tx: Tx, tutorId: string, targetId: number, name: string) =>
  addPublicLinks(tx, [
    { tokenHash: sha256(name), tutorId, kind: 'whatsapp', targetId, now: context.clock.now() },
  ]);

/** Once for each STOP, however many messages are skipped for it. */
const tellStopped = (
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  since: Date,
): Promise<void> =>
  notify(context, tx, tutorId, {
    kind: 'message_failed',
    occasion: `stopped ${message.address} ${since.toISOString()}`,
    text: `${message.toName} wrote STOP to WhatsApp reminders, so nothing goes there by itself.`,
    path: '/messages',
    needsYou: true,
  });

/**
 * Sends it outside any transaction and notes at once under which id WhatsApp took it. WhatsApp has no way to tell a repeat
 * from a second message: after a crash between its answer and our note the family gets it twice, unless its first webhook
 * arrives before the next try and says that it went.
 */
export async function sendByWhatsApp(
  context: Context,
  tutorId: string,
  { message, approved }: ReadyForWhatsApp,
): Promise<void> {
  let vendorId: string;
  try {
    if (!context.whatsApp) throw new WhatsAppRefusal('setup', null);
    vendorId = await context.whatsApp.send({
      to: whatsAppDigits(message.address) ?? '',
      ...approved,
      reference: message.publicId,
    });
  } catch (error) {
    const done = await context.db.withTutor(tutorId, (tx) =>
      noteRefusal(context, tx, tutorId, message, error),
    );
    if (done) return;
    throw error;
  }
  await context.db.withTutor(tutorId, async (tx) => {
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
    await linkBack(context, tx, tutorId, message.id, vendorId);
  });
}

/** True when there is no point in trying again. */
async function noteRefusal(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: MessageRecord,
  error: unknown,
): Promise<boolean> {
  const why = error instanceof WhatsAppRefusal ? error.why : 'later';
  if (why === 'setup') {
    context.log.error({ err: error }, 'WhatsApp refuses our token, account or templates');
  }
  // The answer got lost, and a webhook has said meanwhile that it went.
  const current = await messageById(tx, tutorId, message.id).executeTakeFirst();
  if (current?.state !== 'waiting') return true;
  const again = why === 'later' || why === 'setup';
  if (again && message.attempts < TRIES) return false;
  await giveBack(context, tx, tutorId, message, why);
  return true;
}
