import { MESSAGE_KINDS } from '@lessonbook/contract/messages';
import { Counter } from 'prom-client';
import type { Context } from '../../../../context.ts';
import { afterCommit, type Tx } from '../../../../platform/db/database.ts';
import {
  type MessageRecord,
  messageById,
  updateMessage,
  waitingMessageIds,
} from '../../queries/messages.ts';
import { notify } from '../notifications/notifications.ts';
import { fallBackToDraft } from '../whatsapp/fallback-to-draft.ts';

const failedMessages = new Counter({
  name: 'lessonbook_messages_failed_total',
  help: 'Emails to families that were rejected or abandoned, by kind of message',
  labelNames: ['kind'],
});
// Starts at 0, because Prometheus registers no increase in a series whose first value is 1.
for (const kind of MESSAGE_KINDS) failedMessages.inc({ kind }, 0);

export const NOT_DELIVERED_TEXT =
  "We tried for a day but couldn't deliver this email. Please check the address, then try again.";

/** Marks an email as failed, with a reason that the tutor sees in Messages, and notifies the tutor. */
export async function failMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: Pick<MessageRecord, 'id' | 'kind' | 'toName' | 'attempts'>,
  problem: string,
): Promise<void> {
  const { id, kind, toName, attempts } = message;
  const failure = { state: 'failed', failure_reason: problem, attempts, sent_at: null };
  await updateMessage(tx, tutorId, id, failure);
  afterCommit(tx, () => failedMessages.inc({ kind }));
  await notify(context, tx, tutorId, {
    kind: 'message_failed',
    dedupeKey: `message ${id} failed ${context.clock.now().toISOString()}`,
    text: `A message to ${toName} couldn't be sent. ${problem}`,
    path: `/messages?message=${id}`,
    requiresAction: true,
    targetId: id,
  });
}

export async function abandonMessage(
  context: Context,
  { tutorId, messageId }: { tutorId: string; messageId: number },
): Promise<void> {
  await context.db.tutorTransaction(tutorId, async (tx) => {
    const message = await messageById(tx, tutorId, messageId).executeTakeFirst();
    if (message?.state !== 'waiting') return;
    if (message.channel === 'whatsapp') {
      await fallBackToDraft(context, tx, tutorId, message, 'retryable');
    } else {
      await failMessage(context, tx, tutorId, message, NOT_DELIVERED_TEXT);
    }
  });
}

const listPending = (withDocument: boolean) => async (tx: Tx, tutorId: string) =>
  (await waitingMessageIds(tx, tutorId, withDocument)).map((messageId) => ({ tutorId, messageId }));

export const listPendingMessages = listPending(false);
export const listPendingDocuments = listPending(true);
