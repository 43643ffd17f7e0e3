import type { Message } from '@lessonbook/contract/messages';
import { CONSENT_WORDING, type Consent } from '@lessonbook/contract/whatsapp';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db.ts';
import { updateMessage } from '../queries/messages.ts';
import {
  agreedAmong,
  consentsOf,
  endConsent,
  saveConsent,
  stoppedSince,
} from '../queries/whatsapp.ts';
import { mustBeVerified } from './add-message.ts';
import { numberHash, numberOf } from './by-itself.ts';
import { SEND } from './send-job.ts';
import { asMessage, inTray, messageInBook, notInTray } from './tray.ts';

export async function readConsents(context: Context, tutorId: string): Promise<Consent[]> {
  const [rows] = await context.db.readTutor(tutorId, (tx) => [consentsOf(tx, tutorId)]);
  return rows.map(({ givenAt, ...consent }) => ({ ...consent, at: givenAt.toISOString() }));
}

/**
 * The tutor notes that a person agreed. The draft goes by itself if a template can say it: what the tutor wrote by hand, and
 * what was opened in WhatsApp already, stays in the tray.
 */
export async function giveConsent(context: Context, tutorId: string, id: number): Promise<Message> {
  return context.db.withTutor(tutorId, async (tx) => {
    const message = await messageInBook(tx, tutorId, id);
    const number = message.channel === 'whatsapp' ? numberOf(message.address) : null;
    if (number === null) {
      throw new AppError(
        'conflict',
        'This message goes to no WhatsApp number with a country code.',
      );
    }
    const known = (await agreedAmong(tx, tutorId, [number])).size > 0;
    if (!inTray(message)) {
      if (known) return asMessage(message);
      throw notInTray();
    }
    await mayGoByItself(context, tx, tutorId, number);
    const { toName: name } = message;
    const now = context.clock.now();
    await saveConsent(tx, tutorId, { address: number, name, wording: CONSENT_WORDING, now });
    if (!message.automatic || message.state !== 'draft') return asMessage(message);
    const change = { state: 'waiting', attempts: 0, failure_reason: null };
    await updateMessage(tx, tutorId, id, change);
    await context.queue.enqueue(tx, SEND, { tutorId, messageId: id });
    return asMessage({ ...message, ...change });
  });
}

async function mayGoByItself(
  context: Context,
  tx: Tx,
  tutorId: string,
  number: string,
): Promise<void> {
  if (!context.whatsApp) {
    throw new AppError('conflict', 'WhatsApp messages do not go by themselves here.');
  }
  await mustBeVerified(tx, tutorId);
  if (await stoppedSince(tx, numberHash(number.slice(1)))) {
    throw new AppError('conflict', 'They wrote STOP. Only START from their phone changes that.');
  }
}

/** Asking twice is as good as once; what waits to go lies in the tray when its turn comes. */
export async function withdrawConsent(
  context: Context,
  tutorId: string,
  address: string,
): Promise<Consent[]> {
  const number = numberOf(address) ?? address;
  await context.db.withTutor(tutorId, (tx) => endConsent(tx, tutorId, number, context.clock.now()));
  return readConsents(context, tutorId);
}
