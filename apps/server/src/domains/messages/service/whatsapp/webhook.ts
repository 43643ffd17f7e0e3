import type { Context } from '../../../../context.ts';
import { classifyError } from '../../../../integrations/whatsapp.ts';
import {
  hasValidSignature,
  type MessageStatusUpdate,
  parseWebhook,
} from '../../../../integrations/whatsapp-webhook.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { isEqualSecret } from '../../../../platform/crypto/tokens.ts';
import type { FileResponse } from '../../../../platform/http/file-response.ts';
import { readPublicLinks } from '../../../../platform/public-links.ts';
import { type MessageRecord, messagesByIds } from '../../queries/messages.ts';
import { saveDeliveryStatuses, saveOptOut } from '../../queries/whatsapp.ts';
import {
  type DeliveryStatus,
  isDeliveryStatus,
  nextDeliveryStatus,
} from '../../rules/delivery-status.ts';
import { parseOptOut } from '../../rules/opt-out.ts';
import { hashNumber } from './eligibility.ts';
import { fallBackToDraft } from './fallback-to-draft.ts';

function getAccountOrThrow(context: Context) {
  const account = context.config.whatsApp;
  if (!account) throw new AppError('not_found', 'There is nothing here.');
  return account;
}

/** WhatsApp asks once whether this address is ours, with the word that the operator chose. */
export async function verifyWebhook(
  context: Context,
  asked: { mode: string; token: string; challenge: string },
): Promise<FileResponse> {
  const { verifyToken } = getAccountOrThrow(context);
  if (asked.mode !== 'subscribe' || !isEqualSecret(asked.token, verifyToken)) {
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
  const account = getAccountOrThrow(context);
  if (!hasValidSignature(account.appSecret, raw, signature)) {
    throw new AppError('unauthenticated', 'The signature is missing or wrong.');
  }
  const payload = parseWebhook(raw, account.phoneNumberId);
  if (payload === null) throw new AppError('invalid', 'The request could not be read.');
  for (const { from, text, at } of payload.inboundMessages) {
    const optOut = parseOptOut(text);
    if (optOut) await saveOptOut(context.db.global, hashNumber(from), optOut, at);
  }
  await applyStatusUpdates(context, payload.statusUpdates);
  return { received: true };
}

/** News of one message of ours. */
interface StatusUpdate {
  messageId: number;
  vendorId: string;
  status: DeliveryStatus;
  code: number | null;
}

const CONCURRENCY = 5;

async function applyStatusUpdates(
  context: Context,
  news: readonly MessageStatusUpdate[],
): Promise<void> {
  const byTutor = [...(await groupByTutor(context, news))];
  const next = async (): Promise<void> => {
    for (let one = byTutor.shift(); one; one = byTutor.shift()) {
      await applyForTutor(context, one[0], one[1]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, next));
}

async function groupByTutor(
  context: Context,
  news: readonly MessageStatusUpdate[],
): Promise<Map<string, StatusUpdate[]>> {
  const names = news.flatMap(({ reference, vendorId }) => [reference ?? vendorId, vendorId]);
  const links = await readPublicLinks(context.db, [...new Set(names)]);
  const byTutor = new Map<string, StatusUpdate[]>();
  for (const { reference, vendorId, status, code } of news) {
    const link = links.get(reference ?? vendorId) ?? links.get(vendorId);
    if (link?.kind !== 'whatsapp' || !isDeliveryStatus(status)) continue;
    const updates = byTutor.get(link.tutorId) ?? [];
    updates.push({ messageId: link.targetId, vendorId, status: status, code });
    byTutor.set(link.tutorId, updates);
  }
  return byTutor;
}

/** News of an earlier try, whose answer got lost, counts only as long as no later one was taken. */
const nextState = (
  message: MessageRecord,
  { vendorId, status }: StatusUpdate,
): DeliveryStatus | null =>
  message.vendorId === null || message.vendorId === vendorId
    ? nextDeliveryStatus(message.state, status)
    : null;

interface StatusChange {
  message: MessageRecord;
  state: DeliveryStatus;
  vendorId: string;
  code: number | null;
}

/** Where each message ends up after all of this; those that stay where they are, are left out. */
function computeChanges(
  records: readonly MessageRecord[],
  updates: readonly StatusUpdate[],
): StatusChange[] {
  const byId = new Map(records.map((message) => [message.id, message]));
  const changed = new Map<number, StatusChange>();
  for (const update of updates) {
    const message = byId.get(update.messageId);
    if (!message) continue;
    const { vendorId, code } = update;
    const before = changed.get(message.id);
    const current = before
      ? { ...message, state: before.state, vendorId: before.vendorId }
      : message;
    const state = nextState(current, update);
    if (state) changed.set(message.id, { message, state, vendorId, code });
  }
  return [...changed.values()];
}

async function applyForTutor(
  context: Context,
  tutorId: string,
  updates: readonly StatusUpdate[],
): Promise<void> {
  const ids = [...new Set(updates.map((update) => update.messageId))];
  // A copy must not make the tutor's browsers fetch everything anew.
  const [records] = await context.db.tutorRead(tutorId, (tx) => [messagesByIds(tx, tutorId, ids)]);
  if (computeChanges(records, updates).length === 0) return;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const changed = computeChanges(await messagesByIds(tx, tutorId, ids).execute(), updates);
    await saveDeliveryStatuses(tx, tutorId, changed, context.clock.now());
    for (const { message, state, code } of changed) {
      if (state === 'failed')
        await fallBackToDraft(context, tx, tutorId, message, classifyError(code));
    }
  });
}
