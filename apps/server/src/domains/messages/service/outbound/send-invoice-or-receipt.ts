import { firstName } from '@lessonbook/contract/first-name';
import type { Channel, MessagePreview } from '@lessonbook/contract/messages';
import { formatMoney } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { readTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { readInvoice } from '../../../invoices/service/read.ts';
import { readAccountStatement } from '../../../payments/service/account-statement.ts';
import { readPayment } from '../../../payments/service/read-payments.ts';
import { missingAddressMessage } from '../../rules/recipients.ts';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  formatShortDate,
  type TemplateValues,
} from '../../rules/templates.ts';
import { readReminderSettings } from '../reminders/reminder-settings.ts';
import { createMessage, type OutgoingMessage } from './create-message.ts';
import { consumeEmailQuota } from './email-quota.ts';

export interface DocumentMessageInput {
  channel: Channel;
  subject?: string | null | undefined;
  text?: string | null | undefined;
}

type Draft = Omit<OutgoingMessage, 'address' | 'dedupeKey'> & { address: string | null };

async function buildInvoiceDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<Draft> {
  const invoice = await readInvoice(context, tutorId, id);
  if (invoice.number === null || invoice.token === null) {
    throw new AppError('conflict', 'Please issue the invoice before sending it.');
  }
  const tutor = await readTutor(context, tutorId);
  const today = dateInZone(tutor.timeZone, context.clock.now());
  const link = `${context.config.origin}/pay/${invoice.token}`;
  const values = {
    number: invoice.number,
    amount: formatMoney(invoice.due, invoice.currency, 'en-GB'),
    due: formatShortDate(invoice.dueOn ?? today, today),
    link,
    tutor: tutor.name,
  };
  const draft = await buildDraft(context, tutorId, invoice.familyId, 'invoice', values, input);
  return { ...draft, invoiceId: id };
}

async function buildReceiptDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<Draft> {
  const payment = await readPayment(context, tutorId, id);
  if (payment.kind !== 'payment' || payment.status !== 'completed') {
    throw new AppError('conflict', 'There is a receipt only for a payment that stands.');
  }
  const tutor = await readTutor(context, tutorId);
  const today = dateInZone(tutor.timeZone, context.clock.now());
  const format = (minor: number) => formatMoney(minor, payment.currency, 'en-GB');
  const { owed, credit } = payment.balance;
  const values = {
    tutor: tutor.name,
    amount: format(payment.amount - payment.refunded),
    date: formatShortDate(payment.paymentDate, today),
    lessons: payment.allocations
      .map((cover) => {
        const studentPrefix = cover.studentName ? `${firstName(cover.studentName)}: ` : '';
        const day = formatShortDate(cover.date, today);
        return `${studentPrefix}${cover.description}, ${day}, ${format(cover.amount)}`;
      })
      .join('\n'),
    rest:
      owed > 0
        ? `${format(owed)} is still to be paid.`
        : credit > 0
          ? `${format(credit)} is left as credit for the next lessons.`
          : 'Everything is paid.',
  };
  const draft = await buildDraft(context, tutorId, payment.familyId, 'receipt', values, input);
  return { ...draft, paymentId: id };
}

async function buildDraft(
  context: Context,
  tutorId: string,
  familyId: number,
  kind: 'invoice' | 'receipt',
  values: TemplateValues,
  input: DocumentMessageInput,
): Promise<Draft> {
  const account = await readAccountStatement(context, tutorId, familyId);
  const { templates } = await readReminderSettings(context, tutorId);
  const allValues = { ...values, name: firstName(account.name) };
  const [custom, fallback] = [templates[kind], DEFAULT_TEMPLATES[kind]];
  return {
    kind,
    channel: input.channel,
    familyId,
    toName: account.name,
    address: input.channel === 'email' ? account.email : account.phone,
    subject: input.subject || fillTemplate(custom.subject || fallback.subject, allValues),
    text: input.text || fillTemplate(custom.text || fallback.text, allValues),
  };
}

export const previewInvoiceMessage = async (
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<MessagePreview> => toPreview(await buildInvoiceDraft(context, tutorId, id, input));

export const previewReceipt = async (
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<MessagePreview> => toPreview(await buildReceiptDraft(context, tutorId, id, input));

function toPreview({ familyId, toName, channel, address, subject, text }: Draft): MessagePreview {
  const problem = address ? null : missingAddressMessage({ toName, channel });
  return { familyId, sessionIds: [], toName, channel, address, subject, text, at: null, problem };
}

export const sendInvoice = async (
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> =>
  sendDraft(context, tutorId, await buildInvoiceDraft(context, tutorId, id, input), idempotencyKey);

export const sendReceipt = async (
  context: Context,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> =>
  sendDraft(context, tutorId, await buildReceiptDraft(context, tutorId, id, input), idempotencyKey);

/** The random part of the dedupe key lets the tutor send the document again; the idempotency key catches accidental repeats. */
async function sendDraft(
  context: Context,
  tutorId: string,
  draft: Draft,
  idempotencyKey: IdempotencyKey | null,
): Promise<number[]> {
  const { address } = draft;
  if (!address) throw new AppError('conflict', missingAddressMessage(draft));
  const now = context.clock.now();
  return context.db.tutorTransaction(tutorId, (tx) =>
    withIdempotency(tx, tutorId, idempotencyKey, now, async () => {
      await consumeEmailQuota(context, tx, tutorId, [{ ...draft, address }]);
      const document = `${draft.kind} ${draft.invoiceId ?? draft.paymentId}`;
      const dedupeKey = `${document} ${draft.channel} ${randomToken(9)}`;
      const id = await createMessage(context, tx, tutorId, {
        ...draft,
        address,
        dedupeKey,
      });
      return id === null ? [] : [id];
    }),
  );
}
