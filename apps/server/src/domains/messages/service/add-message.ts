import type { Channel, MessageKind } from '@lessonbook/contract/messages';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { takeIds } from '../../../platform/counters.ts';
import { sha256 } from '../../../platform/crypto.ts';
import type { Tx } from '../../../platform/db.ts';
import { addPublicLinks } from '../../../platform/public-links.ts';
import { contactIn } from '../../accounts/service/profile.ts';
import { insertMessages, type ToldLesson } from '../queries/messages.ts';
import { goingByThemselves } from './by-itself.ts';
import { SEND } from './send-job.ts';
import { STOPPABLE, stopToken } from './stop-token.ts';

export interface Outgoing {
  intent: string;
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
  lessons?: readonly ToldLesson[];
  invoiceId?: number;
  paymentId?: number;
}

/** Writes one message down and lets it go. Gives its id, or null when the same was meant before. */
export async function addMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: Outgoing,
): Promise<number | null> {
  const [id = null] = await addMessages(context, tx, tutorId, [message]);
  return id;
}

/**
 * Writes messages down and lets them go: mails are handed to the worker in this very transaction, and so are automatic
 * WhatsApp messages to whoever agreed to them; all others lie in the tray as drafts. Gives the ids of those that were not meant before.
 */
export async function addMessages(
  context: Context,
  tx: Tx,
  tutorId: string,
  meant: readonly Outgoing[],
): Promise<number[]> {
  const outgoing = await allowed(tx, tutorId, meant);
  if (outgoing.length === 0) return [];
  const now = context.clock.now();
  const ids = await takeIds(tx, tutorId, 'message', outgoing.length);
  const agreed = await goingByThemselves(
    context,
    tx,
    tutorId,
    outgoing.flatMap((each) => (each.channel === 'whatsapp' && each.automatic ? each.address : [])),
  );
  const goes = ({ channel, automatic, address }: Outgoing) =>
    channel === 'email' || (automatic === true && agreed.has(address));
  const fresh = outgoing.map((message, index) => ({
    ...message,
    id: ids[index] as number,
    state: goes(message) ? ('waiting' as const) : ('draft' as const),
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
        .filter((mail) => STOPPABLE.has(mail.kind))
        .map((mail) => ({
          tokenHash: sha256(stopToken(context, tutorId, mail.address)),
          tutorId,
          kind: 'unsubscribe' as const,
          targetId: mail.id,
          now,
        })),
    );
  }
  const going = fresh.filter(({ id, state }) => added.has(id) && state === 'waiting');
  if (going.length > 0) {
    await context.queue.enqueueAll(
      tx,
      SEND,
      going.map(({ id }) => ({ tutorId, messageId: id })),
    );
  }
  return [...added];
}

/** Whoever has not shown that an address is theirs writes to nobody through us. What the clock means to send waits for it. */
async function allowed(
  tx: Tx,
  tutorId: string,
  meant: readonly Outgoing[],
): Promise<readonly Outgoing[]> {
  if (meant.every((message) => message.channel !== 'email')) return meant;
  if (await isVerified(tx, tutorId)) return meant;
  const rest = meant.filter((message) => message.channel !== 'email' || !message.automatic);
  if (rest.some((message) => message.channel === 'email')) throw notVerified();
  return rest;
}

async function isVerified(tx: Tx, tutorId: string): Promise<boolean> {
  const { emailVerified, isDemo } = await contactIn(tx, tutorId);
  return emailVerified || isDemo;
}

export async function mustBeVerified(tx: Tx, tutorId: string): Promise<void> {
  if (!(await isVerified(tx, tutorId))) throw notVerified();
}

const notVerified = (): AppError =>
  new AppError('conflict', 'Please confirm your e-mail address first, then send it again.');
