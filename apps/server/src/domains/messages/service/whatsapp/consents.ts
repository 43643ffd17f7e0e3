import type { Message } from '@lessonbook/contract/messages';
import { CONSENT_WORDING, type Consent } from '@lessonbook/contract/whatsapp-consent';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { SEND_MESSAGE_JOB } from '../../job-types.ts';
import { updateMessage } from '../../queries/messages.ts';
import {
  activeConsents,
  endConsent,
  findConsentedNumbers,
  findOptOutTime,
  saveConsent,
} from '../../queries/whatsapp-consents-and-opt-outs.ts';
import { assertEmailVerified } from '../outbound/create-message.ts';
import {
  getMessageOrThrow,
  isInOutbox,
  notInOutboxError,
  toMessage,
} from '../outbound/list-retry-and-dismiss-messages.ts';
import { hashNumber, toE164 } from './eligibility.ts';

export async function readConsents(context: Context, tutorId: string): Promise<Consent[]> {
  const [rows] = await context.db.tutorRead(tutorId, (tx) => [activeConsents(tx, tutorId)]);
  return rows.map(({ givenAt, ...consent }) => ({ ...consent, at: givenAt.toISOString() }));
}

/**
 * Records that a person has consented, and sends the draft. Drafts that were written by the tutor or have been opened in
 * WhatsApp stay in the outbox.
 */
export async function recordConsent(
  context: Context,
  tutorId: string,
  id: number,
): Promise<Message> {
  return context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await getMessageOrThrow(tx, tutorId, id);
    const number = message.channel === 'whatsapp' ? toE164(message.address) : null;
    if (number === null) {
      throw new AppError('conflict', 'This message has no WhatsApp number with a country code.');
    }
    const hasConsented = (await findConsentedNumbers(tx, tutorId, [number])).size > 0;
    if (!isInOutbox(message)) {
      if (hasConsented) return toMessage(context, message);
      throw notInOutboxError();
    }
    await assertAutoSendAllowed(context, tx, tutorId, number);
    const { toName: name } = message;
    const now = context.clock.now();
    await saveConsent(tx, tutorId, { address: number, name, wording: CONSENT_WORDING, now });
    if (!message.automatic || message.state !== 'draft') return toMessage(context, message);
    const change = { state: 'waiting', attempts: 0 };
    await updateMessage(tx, tutorId, id, { ...change, failure_reason: null });
    await context.queue.enqueue(tx, SEND_MESSAGE_JOB, { tutorId, messageId: id });
    return toMessage(context, { ...message, ...change, failureReason: null });
  });
}

async function assertAutoSendAllowed(
  context: Context,
  tx: Tx,
  tutorId: string,
  number: string,
): Promise<void> {
  if (!context.whatsApp) {
    throw new AppError('conflict', "Automatic WhatsApp messages aren't available here.");
  }
  await assertEmailVerified(tx, tutorId);
  if (await findOptOutTime(tx, hashNumber(number.slice(1)))) {
    throw new AppError(
      'conflict',
      'They replied STOP. They can reply START to get messages again.',
    );
  }
}

/** Idempotent. Messages that are already waiting become drafts when the worker processes them. */
export async function withdrawConsent(
  context: Context,
  tutorId: string,
  address: string,
): Promise<Consent[]> {
  const number = toE164(address) ?? address;
  await context.db.tutorTransaction(tutorId, (tx) =>
    endConsent(tx, tutorId, number, context.clock.now()),
  );
  return readConsents(context, tutorId);
}
