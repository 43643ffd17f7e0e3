import type { Channel, MessageKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { sha256 } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { nextIds } from '../../../../platform/db/id-sequence.ts';
import { addPublicLinks } from '../../../../platform/public-links.ts';
import { getTutorContact } from '../../../accounts/service/profile/profile.ts';
import { type CommunicatedSession, insertMessages } from '../../queries/messages.ts';
import { SEND_MESSAGE_JOB } from '../job-types.ts';
import { filterAutoSendable } from '../whatsapp/eligibility.ts';
import { UNSUBSCRIBABLE_KINDS, unsubscribeToken } from './unsubscribe.ts';

export interface OutgoingMessage {
  dedupeKey: string;
  kind: MessageKind;
  channel: Channel;
  familyId: number | null;
  toName: string;
  address: string;
  subject: string;
  text: string;
  /** Made by the clock, in the words of the template: by WhatsApp it may go by itself to whoever agreed. */
  automatic?: boolean;
  /** The lessons it speaks of. */
  lessons?: readonly CommunicatedSession[];
  invoiceId?: number;
  paymentId?: number;
}

/** Writes one message down and lets it go. Gives its id, or null when the same was meant before. */
export async function createMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: OutgoingMessage,
): Promise<number | null> {
  const [id = null] = await createMessages(context, tx, tutorId, [message]);
  return id;
}

/**
 * Writes messages down and lets them go: mails are handed to the worker in this very transaction, and so are automatic
 * WhatsApp messages to whoever agreed to them; all others lie in the tray as drafts. Gives the ids of those that were not meant before.
 */
export async function createMessages(
  context: Context,
  tx: Tx,
  tutorId: string,
  requested: readonly OutgoingMessage[],
): Promise<number[]> {
  const outgoing = await filterAllowed(tx, tutorId, requested);
  if (outgoing.length === 0) return [];
  const now = context.clock.now();
  const ids = await nextIds(tx, tutorId, 'message', outgoing.length);
  const agreed = await filterAutoSendable(
    context,
    tx,
    tutorId,
    outgoing.flatMap((each) => (each.channel === 'whatsapp' && each.automatic ? each.address : [])),
  );
  const isSentAutomatically = ({ channel, automatic, address }: OutgoingMessage) =>
    channel === 'email' || (automatic === true && agreed.has(address));
  const fresh = outgoing.map((message, index) => ({
    ...message,
    id: ids[index] as number,
    state: isSentAutomatically(message) ? ('waiting' as const) : ('draft' as const),
    automatic: message.automatic ?? false,
    invoiceId: message.invoiceId ?? null,
    paymentId: message.paymentId ?? null,
    lessons: message.lessons ?? [],
    now,
  }));
  const added = new Set(await insertMessages(tx, tutorId, fresh));
  const mails = fresh.filter((message) => added.has(message.id) && message.channel === 'email');
  if (mails.length > 0) {
    await addPublicLinks(
      tx,
      mails
        .filter((mail) => UNSUBSCRIBABLE_KINDS.has(mail.kind))
        .map((mail) => ({
          tokenHash: sha256(unsubscribeToken(context, tutorId, mail.address)),
          tutorId,
          kind: 'unsubscribe' as const,
          targetId: mail.id,
          now,
        })),
    );
  }
  const enqueued = fresh.filter(({ id, state }) => added.has(id) && state === 'waiting');
  if (enqueued.length > 0) {
    await context.queue.enqueueAll(
      tx,
      SEND_MESSAGE_JOB,
      enqueued.map(({ id }) => ({ tutorId, messageId: id })),
    );
  }
  return [...added];
}

/** Whoever has not shown that an address is theirs writes to nobody through us. What the clock means to send waits for it. */
async function filterAllowed(
  tx: Tx,
  tutorId: string,
  requested: readonly OutgoingMessage[],
): Promise<readonly OutgoingMessage[]> {
  if (requested.every((message) => message.channel !== 'email')) return requested;
  if (await isVerified(tx, tutorId)) return requested;
  const rest = requested.filter((message) => message.channel !== 'email' || !message.automatic);
  if (rest.some((message) => message.channel === 'email')) throw emailNotVerified();
  return rest;
}

async function isVerified(tx: Tx, tutorId: string): Promise<boolean> {
  const { emailVerified, isDemo } = await getTutorContact(tx, tutorId);
  return emailVerified || isDemo;
}

export async function assertEmailVerified(tx: Tx, tutorId: string): Promise<void> {
  if (!(await isVerified(tx, tutorId))) throw emailNotVerified();
}

const emailNotVerified = (): AppError =>
  new AppError('conflict', 'Please confirm your e-mail address first, then send it again.');
