import type { Context } from '../../../context.ts';
import { whyOf } from '../../../integrations/whatsapp.ts';
import { isSigned, type MessageNews, readWebhook } from '../../../integrations/whatsapp-webhook.ts';
import { AppError } from '../../../platform/app-error.ts';
import { isSameSecret } from '../../../platform/crypto.ts';
import type { FileReply } from '../../../platform/file-replies.ts';
import { readPublicLinks } from '../../../platform/public-links.ts';
import { type MessageRecord, messagesByIds } from '../queries/messages.ts';
import { noteNews, noteWish } from '../queries/whatsapp.ts';
import { afterNews, type Delivery, isDelivery } from '../rules/delivery.ts';
import { wishIn } from '../rules/stop.ts';
import { numberHash } from './by-itself.ts';
import { giveBack } from './give-back.ts';

function accountOf(context: Context) {
  const account = context.config.whatsApp;
  if (!account) throw new AppError('not_found', 'There is nothing here.');
  return account;
}

/** WhatsApp asks once whether this address is ours, with the word that the operator chose. */
export async function confirmWebhook(
  context: Context,
  asked: { mode: string; token: string; challenge: string },
): Promise<FileReply> {
  const { verifyToken } = accountOf(context);
  if (asked.mode !== 'subscribe' || !isSameSecret(asked.token, verifyToken)) {
    throw new AppError('forbidden', 'This is not the word that was agreed.');
  }
  return { name: 'challenge.txt', body: asked.challenge };
}

/**
 * Applies what WhatsApp tells before answering: it tells everything again until it is answered with 200, and all of this may
 * be told twice, so nothing needs to be kept in between. What concerns nobody here is answered with 200 as well.
 */
export async function receiveWebhook(
  context: Context,
  raw: string,
  signature: string,
): Promise<{ received: boolean }> {
  const account = accountOf(context);
  if (!isSigned(account.appSecret, raw, signature)) {
    throw new AppError('unauthenticated', 'The signature is missing or wrong.');
  }
  const told = readWebhook(raw, account.phoneNumberId);
  if (told === null) throw new AppError('invalid', 'The request could not be read.');
  for (const { from, text, at } of told.letters) {
    const wish = wishIn(text);
    if (wish) await noteWish(context.db.global, numberHash(from), wish, at);
  }
  await applyNews(context, told.news);
  return { received: true };
}

/** News of one message of ours. */
interface Piece {
  messageId: number;
  vendorId: string;
  news: Delivery;
  code: number | null;
}

const SIDE_BY_SIDE = 5;

async function applyNews(context: Context, news: readonly MessageNews[]): Promise<void> {
  const byTutor = [...(await sortByTutor(context, news))];
  const next = async (): Promise<void> => {
    for (let one = byTutor.shift(); one; one = byTutor.shift()) {
      await applyToBook(context, one[0], one[1]);
    }
  };
  await Promise.all(Array.from({ length: SIDE_BY_SIDE }, next));
}

async function sortByTutor(
  context: Context,
  news: readonly MessageNews[],
): Promise<Map<string, Piece[]>> {
  const names = news.flatMap(({ reference, vendorId }) => [reference ?? vendorId, vendorId]);
  const links = await readPublicLinks(context.db, [...new Set(names)]);
  const byTutor = new Map<string, Piece[]>();
  for (const { reference, vendorId, status, code } of news) {
    const link = links.get(reference ?? vendorId) ?? links.get(vendorId);
    if (link?.kind !== 'whatsapp' || !isDelivery(status)) continue;
    const pieces = byTutor.get(link.tutorId) ?? [];
    pieces.push({ messageId: link.targetId, vendorId, news: status, code });
    byTutor.set(link.tutorId, pieces);
  }
  return byTutor;
}

/** News of an earlier try, whose answer got lost, counts only as long as no later one was taken. */
const stateAfter = (message: MessageRecord, { vendorId, news }: Piece): Delivery | null =>
  message.vendorId === null || message.vendorId === vendorId
    ? afterNews(message.state, news)
    : null;

interface Changed {
  message: MessageRecord;
  state: Delivery;
  vendorId: string;
  code: number | null;
}

/** Where each message ends up after all of this; those that stay where they are, are left out. */
function changedBy(records: readonly MessageRecord[], pieces: readonly Piece[]): Changed[] {
  const byId = new Map(records.map((message) => [message.id, message]));
  const changed = new Map<number, Changed>();
  for (const piece of pieces) {
    const message = byId.get(piece.messageId);
    if (!message) continue;
    const { vendorId, code } = piece;
    const before = changed.get(message.id);
    const current = before
      ? { ...message, state: before.state, vendorId: before.vendorId }
      : message;
    const state = stateAfter(current, piece);
    if (state) changed.set(message.id, { message, state, vendorId, code });
  }
  return [...changed.values()];
}

async function applyToBook(
  context: Context,
  tutorId: string,
  pieces: readonly Piece[],
): Promise<void> {
  const ids = [...new Set(pieces.map((piece) => piece.messageId))];
  // A copy must not make the tutor's browsers fetch everything anew.
  const [records] = await context.db.readTutor(tutorId, (tx) => [messagesByIds(tx, tutorId, ids)]);
  if (changedBy(records, pieces).length === 0) return;
  await context.db.withTutor(tutorId, async (tx) => {
    const changed = changedBy(await messagesByIds(tx, tutorId, ids).execute(), pieces);
    await noteNews(tx, tutorId, changed, context.clock.now());
    for (const { message, state, code } of changed) {
      if (state === 'failed') await giveBack(context, tx, tutorId, message, whyOf(code));
    }
  });
}
