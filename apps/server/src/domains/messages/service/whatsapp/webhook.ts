import type { Context } from '../../../../context.ts';
import { classifyError } from '../../../../integrations/whatsapp.ts';
import {
  hasValidSignature,
  type MessageStatusUpdate,
  parseWebhook,
} from '../../../../integrations/whatsapp-webhook.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { secretsMatch } from '../../../../platform/crypto/tokens.ts';
import { hasTutorMoved } from '../../../../platform/db/tutor-move-write-guards.ts';
import type { FileResponse } from '../../../../platform/http/file-responses.ts';
import { readPublicLinks } from '../../../../platform/message-link-tokens.ts';
import { type MessageRecord, messagesByIds } from '../../queries/messages.ts';
import {
  saveDeliveryStatuses,
  saveOptOutKeyword,
} from '../../queries/whatsapp-consents-and-opt-outs.ts';
import {
  type DeliveryStatus,
  isDeliveryStatus,
  nextDeliveryStatus,
} from '../../rules/delivery-status.ts';
import { parseOptOutKeyword } from '../../rules/whatsapp-opt-out-keywords.ts';
import { queueCorrectionAfterSending } from '../outbound/queue-correction-after-sending.ts';
import { hashNumber } from './eligibility.ts';
import { fallBackToDraft } from './fallback-to-draft.ts';

function getWhatsAppConfigOrThrow(context: Context) {
  const whatsAppConfig = context.config.whatsApp;
  if (!whatsAppConfig) throw new AppError('not_found', "We couldn't find that.");
  return whatsAppConfig;
}

/** WhatsApp's verification handshake, using the verify token configured by the operator. */
export async function verifyWebhook(
  context: Context,
  query: { mode: string; token: string; challenge: string },
): Promise<FileResponse> {
  const { verifyToken } = getWhatsAppConfigOrThrow(context);
  if (query.mode !== 'subscribe' || !secretsMatch(query.token, verifyToken)) {
    throw new AppError('forbidden', 'Verify token mismatch.');
  }
  return { name: 'challenge.txt', body: query.challenge };
}

/**
 * Applies the payload before responding. WhatsApp redelivers until it gets a 200, and applying a payload twice is harmless, so
 * no queue is needed. Payloads about unknown messages also get a 200.
 */
export async function receiveWebhook(
  context: Context,
  raw: string,
  signature: string,
): Promise<{ received: boolean }> {
  const whatsAppConfig = getWhatsAppConfigOrThrow(context);
  if (!hasValidSignature(whatsAppConfig.appSecret, raw, signature)) {
    throw new AppError('unauthenticated', 'Invalid webhook signature.');
  }
  const payload = parseWebhook(raw, whatsAppConfig.phoneNumberId);
  if (payload === null) throw new AppError('invalid', "We couldn't read the request.");
  for (const { from, text, at } of payload.inboundMessages) {
    const keyword = parseOptOutKeyword(text);
    if (keyword) await saveOptOutKeyword(context.db.global, hashNumber(from), keyword, at);
  }
  await applyStatusUpdates(context, payload.statusUpdates);
  return { received: true };
}

interface StatusUpdate {
  messageId: number;
  vendorId: string;
  status: DeliveryStatus;
  code: number | null;
}

const CONCURRENCY = 5;

async function applyStatusUpdates(
  context: Context,
  updates: readonly MessageStatusUpdate[],
): Promise<void> {
  const queue = [...(await groupByTutor(context, updates))];
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      await applyForTutor(context, next[0], next[1]);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function groupByTutor(
  context: Context,
  updates: readonly MessageStatusUpdate[],
): Promise<Map<string, StatusUpdate[]>> {
  const tokens = updates.flatMap(({ reference, vendorId }) => [reference ?? vendorId, vendorId]);
  const links = await readPublicLinks(context.db, [...new Set(tokens)]);
  const byTutor = new Map<string, StatusUpdate[]>();
  for (const { reference, vendorId, status, code } of updates) {
    const link = links.get(reference ?? vendorId) ?? links.get(vendorId);
    if (link?.kind !== 'whatsapp' || !isDeliveryStatus(status)) continue;
    const tutorUpdates = byTutor.get(link.tutorId) ?? [];
    tutorUpdates.push({ messageId: link.targetId, vendorId, status, code });
    byTutor.set(link.tutorId, tutorUpdates);
  }
  return byTutor;
}

/** Once a later attempt has succeeded, statuses for an earlier attempt whose response was lost are ignored. */
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

/** Returns the messages whose state changes, each with its final state. */
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
  // If the tutor has moved to another installation, that installation gets the same webhooks.
  if (await hasTutorMoved(context.db.global, tutorId)) return;
  const ids = [...new Set(updates.map((update) => update.messageId))];
  // A redelivery must not increment the revision, which would make browsers refetch.
  const [records] = await context.db.tutorRead(tutorId, (tx) => [messagesByIds(tx, tutorId, ids)]);
  if (computeChanges(records, updates).length === 0) return;
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const changed = computeChanges(await messagesByIds(tx, tutorId, ids).execute(), updates);
    await saveDeliveryStatuses(tx, tutorId, changed, context.clock.now());
    const waiting = changed.filter(({ message }) => message.state === 'waiting');
    await queueCorrectionAfterSending(
      context,
      tx,
      tutorId,
      waiting.map(({ message }) => message.id),
    );
    for (const { message, state, code } of changed) {
      if (state === 'failed') {
        await fallBackToDraft(context, tx, tutorId, message, classifyError(code));
      }
    }
  });
}
