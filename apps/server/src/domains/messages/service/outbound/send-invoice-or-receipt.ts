import { firstName } from '@lessonbook/contract/first-name';
import type { Channel, MessagePreview } from '@lessonbook/contract/messages';
import { formatMoney } from '@lessonbook/contract/money';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { getInvoice } from '../../../invoices/service/read.ts';
import { getAccountStatement } from '../../../payments/service/account-statement.ts';
import { getPayment } from '../../../payments/service/read-payments.ts';
import { missingAddressMessage } from '../../rules/recipients.ts';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  formatShortDate,
  type TemplateValues,
} from '../../rules/templates.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { createMessage, type OutgoingMessage } from './create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from './email-quota.ts';
import { LINK_PLACEHOLDER } from './pay-link.ts';

export interface DocumentMessageInput {
  channel: Channel;
  subject?: string | null | undefined;
  text?: string | null | undefined;
}

type Draft = Omit<OutgoingMessage, 'address' | 'dedupeKey'> & {
  address: string | null;
  /** Replaces the placeholder in the preview. */
  link?: string;
};

type BuildDraft = (
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
) => Promise<Draft>;

async function buildInvoiceDraft(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<Draft> {
  const invoice = await getInvoice(context, tx, tutorId, id);
  if (invoice.number === null || invoice.token === null) {
    throw new AppError('conflict', 'Please issue the invoice before sending it.');
  }
  const tutor = await getTutor(tx, tutorId);
  const today = dateInZone(tutor.timeZone, context.clock.now());
  const values = {
    number: invoice.number,
    amount: formatMoney(invoice.due, invoice.currency, 'en-GB'),
    due: formatShortDate(invoice.dueOn ?? today, today),
    tutor: tutor.name,
  };
  const draft = await buildDraft(tx, tutorId, invoice.familyId, 'invoice', values, input);
  return { ...draft, invoiceId: id, link: `${context.config.origin}/pay/${invoice.token}` };
}

async function buildReceiptDraft(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<Draft> {
  const payment = await getPayment(tx, tutorId, id);
  if (payment.kind !== 'payment' || payment.status !== 'completed') {
    throw new AppError('conflict', 'There is a receipt only for a payment that stands.');
  }
  const tutor = await getTutor(tx, tutorId);
  const today = dateInZone(tutor.timeZone, context.clock.now());
  const format = (minor: number) => formatMoney(minor, payment.currency, 'en-GB');
  const { owed, credit } = payment.balance;
  const values = {
    tutor: tutor.name,
    amount: format(payment.amount - payment.refunded),
    date: formatShortDate(payment.paymentDate, today),
    lessons: payment.allocations
      .map((allocation) => {
        const studentPrefix = allocation.studentName
          ? `${firstName(allocation.studentName)}: `
          : '';
        const day = formatShortDate(allocation.date, today);
        return `${studentPrefix}${allocation.description}, ${day}, ${format(allocation.amount)}`;
      })
      .join('\n'),
    rest:
      owed > 0
        ? `${format(owed)} is still to be paid.`
        : credit > 0
          ? `${format(credit)} is left as credit for the next lessons.`
          : 'Everything is paid.',
  };
  const draft = await buildDraft(tx, tutorId, payment.familyId, 'receipt', values, input);
  return { ...draft, paymentId: id };
}

async function buildDraft(
  tx: Tx,
  tutorId: string,
  familyId: number,
  kind: 'invoice' | 'receipt',
  values: TemplateValues,
  input: DocumentMessageInput,
): Promise<Draft> {
  const account = await getAccountStatement(tx, tutorId, familyId);
  const { templates } = await getSettings(tx, tutorId);
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

const previewDraft =
  (build: BuildDraft) =>
  async (
    context: Context,
    tutorId: string,
    id: number,
    input: DocumentMessageInput,
  ): Promise<MessagePreview> =>
    context.db.tutorSnapshot(tutorId, async (tx) => {
      const draft = await build(context, tx, tutorId, id, input);
      const { familyId, toName, channel, address, subject } = draft;
      const text = draft.text.replaceAll(LINK_PLACEHOLDER, draft.link ?? LINK_PLACEHOLDER);
      const problem = await findProblem(context, tx, tutorId, draft);
      return {
        familyId,
        sessionIds: [],
        toName,
        channel,
        address,
        subject,
        text,
        at: null,
        problem,
      };
    });

async function findProblem(
  context: Context,
  tx: Tx,
  tutorId: string,
  { toName, channel, address }: Draft,
): Promise<string | null> {
  if (!address) return missingAddressMessage({ toName, channel });
  const recipient = { toName, channel, address };
  return (await findRecipientProblems(context, tx, tutorId, [recipient])).get(recipient) ?? null;
}

/** The random part of the dedupe key lets the tutor send the document again; the idempotency key catches accidental repeats. */
const sendDraft =
  (build: BuildDraft) =>
  (
    context: Context,
    tutorId: string,
    id: number,
    input: DocumentMessageInput,
    idempotencyKey: IdempotencyKey | null,
  ): Promise<number[]> =>
    context.db.tutorTransaction(tutorId, (tx) =>
      withIdempotency(tx, tutorId, idempotencyKey, context.clock.now(), async () => {
        const draft = await build(context, tx, tutorId, id, input);
        const { address } = draft;
        if (!address) throw new AppError('conflict', missingAddressMessage(draft));
        await consumeEmailQuota(context, tx, tutorId, [{ ...draft, address }]);
        const dedupeKey = `${draft.kind} ${id} ${draft.channel} ${randomToken(9)}`;
        const messageId = await createMessage(context, tx, tutorId, {
          ...draft,
          address,
          dedupeKey,
        });
        return messageId === null ? [] : [messageId];
      }),
    );

export const previewInvoiceMessage = previewDraft(buildInvoiceDraft);
export const previewReceipt = previewDraft(buildReceiptDraft);
export const sendInvoice = sendDraft(buildInvoiceDraft);
export const sendReceipt = sendDraft(buildReceiptDraft);
