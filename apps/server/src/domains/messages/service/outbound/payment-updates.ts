import { firstName } from '@lessonbook/contract/first-name';
import type { Context } from '../../../../context.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { getTutorContact } from '../../../accounts/service/profile/read-tutor.ts';
import { getSignature } from '../../../invoices/service/business-settings.ts';
import { getAccountStatement } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { hasBounced } from '../../queries/suppressions.ts';
import { canSendEmail, createMessage, type OutgoingMessage } from './create-message.ts';
import { consumeAutomaticQuota } from './email-quota.ts';
import { LINK_PLACEHOLDER } from './pay-link-placeholder.ts';
import { buildReceiptDraft } from './send-invoice-or-receipt.ts';

/*
 * Emails to payers about their own payments. They are sent without the tutor's involvement, and payers cannot unsubscribe
 * from them. Receipts are sent at any time, because the payer has just paid. Other updates wait for the end of quiet hours.
 */

export async function sendAutomaticReceipt(
  context: Context,
  tx: Tx,
  tutorId: string,
  paymentId: number,
): Promise<void> {
  const {
    address,
    requestsPayment: _,
    ...draft
  } = await buildReceiptDraft(context, tx, tutorId, paymentId, {
    channel: 'email',
  });
  if (!address) return;
  await sendIfPossible(context, tx, tutorId, {
    ...draft,
    address,
    dedupeKey: `automatic receipt ${paymentId}`,
  });
}

export interface PaymentUpdate {
  familyId: number;
  dedupeKey: string;
  subject: string;
  text: string;
  /** Whether to add the link to the payment page if something is due. */
  asksForPayment?: boolean;
}

export async function sendPaymentUpdate(
  context: Context,
  tx: Tx,
  tutorId: string,
  { familyId, dedupeKey, subject, text, asksForPayment = false }: PaymentUpdate,
): Promise<void> {
  const { name, email, timeZone, balances } = await getAccountStatement(tx, tutorId, familyId);
  if (!email) return;
  const isDue = balances.some(({ owed }) => owed > 0);
  const paragraphs = [
    `Hi ${firstName(name)},`,
    text,
    ...(asksForPayment
      ? [isDue ? `You can pay again here: ${LINK_PLACEHOLDER}` : 'There is nothing to pay.']
      : []),
    await getSignature(tx, tutorId),
  ];
  await sendIfPossible(context, tx, tutorId, {
    kind: 'payment_update',
    channel: 'email',
    familyId,
    toName: name,
    address: email,
    timeZone,
    subject,
    text: paragraphs.join('\n\n'),
    dedupeKey: `update ${dedupeKey}`,
  });
}

/** Does not throw if the recipient cannot be emailed, because the caller's change must be saved anyway. */
export async function sendIfPossible(
  context: Context,
  tx: Tx,
  tutorId: string,
  message: OutgoingMessage,
): Promise<void> {
  const { deletionScheduledAt } = await getTutorContact(tx, tutorId);
  if (deletionScheduledAt || !(await canSendEmail(tx, tutorId))) return;
  const { channel, address } = message;
  if (await hasBounced(tx, tutorId, channel, address)) return;
  const { allowed } = await consumeAutomaticQuota(context, tx, tutorId, [message], {
    countByAddress: true,
  });
  for (const each of allowed) await createMessage(context, tx, tutorId, each);
}
