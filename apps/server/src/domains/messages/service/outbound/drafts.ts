import type { Channel, Message } from '@lessonbook/contract/messages';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { getPayers } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { sendJobFor } from '../../job-types.ts';
import { updateMessage } from '../../queries/messages.ts';
import { formatLongDate } from '../../rules/format-dates-and-lessons.ts';
import { getRenderContext } from '../reminders/render-lesson-reminder.ts';
import { assertEmailVerified, createMessages } from './create-message.ts';
import { consumeEmailQuota } from './email-quota.ts';
import {
  getMessageOrThrow,
  isInOutbox,
  notInOutboxError,
  readMessage,
} from './list-retry-and-dismiss-messages.ts';
import { withLinkPlaceholder } from './pay-link-placeholder.ts';
import { chooseAddresses } from './send-to-families.ts';

/* Messages that the tutor can read and edit before they are sent. */

interface FamilyDraft {
  familyId: number;
  toName: string;
  channel: Channel;
  address: string;
  subject: string;
  text: string;
}

/** The channel by which each family would be sent a message (email if possible), and the values that its text needs. */
export async function getDraftRecipients(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyIds: readonly number[],
) {
  const { tutor, today } = await getRenderContext(context, tx, tutorId);
  const accounts = await getPayers(tx, tutorId, familyIds);
  const addresses = await chooseAddresses(context, tx, tutorId, accounts, 'email');
  return {
    tutor,
    formatDate: (date: string) => formatLongDate(date, today),
    recipients: [...addresses].map(([familyId, address]) => ({
      familyId,
      /** The id of a student who pays for themselves. */
      studentId: accounts.get(familyId)?.studentId ?? null,
      ...address,
    })),
  };
}

/** Creates one draft for each family and returns the number of drafts. */
export async function createDrafts(
  context: Context,
  tx: Tx,
  tutorId: string,
  drafts: readonly FamilyDraft[],
): Promise<number> {
  const ids = await createMessages(
    context,
    tx,
    tutorId,
    drafts.map(({ familyId, toName, channel, address, subject, text }) => ({
      familyId,
      toName,
      channel,
      address,
      subject,
      text,
      dedupeKey: `draft ${familyId} ${randomToken(9)}`,
      kind: 'custom' as const,
      isDraft: true,
    })),
  );
  return ids.length;
}

/** Sends an email draft with the text as edited by the tutor. WhatsApp drafts are opened in WhatsApp instead. */
export async function sendDraft(
  context: Context,
  tutorId: string,
  id: number,
  content: { subject: string; text: string },
  idempotencyKey: IdempotencyKey | null,
): Promise<Message> {
  const now = context.clock.now();
  await context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      const message = await getMessageOrThrow(tx, tutorId, id);
      if (!isInOutbox(message)) throw notInOutboxError();
      if (message.channel !== 'email')
        throw new AppError('conflict', 'Please open this message in WhatsApp to send it.');
      await assertEmailVerified(tx, tutorId);
      await consumeEmailQuota(context, tx, tutorId, [message]);
      await updateMessage(tx, tutorId, id, {
        state: 'waiting',
        subject: content.subject,
        text: withLinkPlaceholder(context, content.text),
      });
      await context.queue.enqueue(tx, sendJobFor(message), { tutorId, messageId: id });
      return id;
    }),
  );
  return readMessage(context, tutorId, id);
}
