import { firstName } from '@lessonbook/contract/first-name';
import type { Invoice } from '@lessonbook/contract/invoices';
import {
  type Channel,
  type MessagePreview,
  NO_PAYMENT_METHOD_MESSAGE,
} from '@lessonbook/contract/messages';
import { formatMoney } from '@lessonbook/contract/money';
import type { PaymentMethod } from '@lessonbook/contract/payments';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../../context.ts';
import { AppError } from '../../../../platform/app-error.ts';
import { randomToken } from '../../../../platform/crypto/tokens.ts';
import type { Tx } from '../../../../platform/db/database.ts';
import { type IdempotencyKey, withIdempotency } from '../../../../platform/idempotency.ts';
import { getTutor } from '../../../accounts/service/profile/read-tutor.ts';
import { canBePaid, getSignature } from '../../../invoices/service/business-settings.ts';
import { getInvoice } from '../../../invoices/service/read.ts';
import { getAccountStatement } from '../../../payments/service/amounts-owed-and-transfer-claims.ts';
import { getPayment } from '../../../payments/service/read-payments.ts';
import { latestInvoiceEmail } from '../../queries/messages.ts';
import { missingAddressMessage } from '../../rules/cannot-send-texts.ts';
import { formatShortDate } from '../../rules/format-dates-and-lessons.ts';
import {
  DEFAULT_TEMPLATES,
  fillTemplate,
  type TemplateValues,
} from '../../rules/message-templates.ts';
import { getSettings } from '../reminders/reminder-settings.ts';
import { createMessage, type OutgoingMessage } from './create-message.ts';
import { consumeEmailQuota, findRecipientProblems } from './email-quota.ts';
import { LINK_PLACEHOLDER } from './pay-link-placeholder.ts';

export interface DocumentMessageInput {
  channel: Channel;
  subject?: string | null | undefined;
  text?: string | null | undefined;
}

type Draft = Omit<OutgoingMessage, 'address' | 'dedupeKey'> & {
  address: string | null;
  /** The link that replaces the placeholder in the preview. */
  link?: string;
  /** Whether the message asks for money. */
  requestsPayment: boolean;
  /** Why the document cannot be sent. */
  blocker?: string | null;
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
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const format = (minor: number) => formatMoney(minor, invoice.currency, 'en-GB');
  const amount = invoice.total - invoice.credited;
  const due = invoice.kind === 'invoice' ? invoice.due - invoice.onHold : 0;
  const values = {
    // A draft is previewed before it has a number and a link.
    number: invoice.number ?? '[number]',
    // The outstanding amount. If part of the invoice is paid, the text also gives the total.
    amount: format(due > 0 ? due : amount),
    due: formatShortDate(invoice.dueOn ?? today, today),
    tutor: await getSignature(tx, tutorId),
  };
  const partlyPaidAmount = `${format(amount)}, of which ${format(due)} is left to pay`;
  const draft = await buildDraft(tx, tutorId, invoice.familyId, 'invoice', values, input, {
    // The tutor's own template is not used if nothing is due, because it asks for payment.
    ...(due === 0 ? { template: getTemplateWithNothingDue(invoice) } : {}),
    ...(due > 0 && due < amount ? { textValues: { amount: partlyPaidAmount } } : {}),
  });
  const link = invoice.token ? `${context.config.origin}/pay/${invoice.token}` : '[link]';
  return { ...draft, invoiceId: id, link, requestsPayment: due > 0, blocker: findBlocker(invoice) };
}

/** The text for a credit note does not say that nothing is left to pay, because its invoice may still be partly due. */
function getTemplateWithNothingDue({ kind, onHold, corrects }: Invoice) {
  const isInvoice = kind === 'invoice';
  const text = isInvoice
    ? `Here is invoice {number} for your records. There is nothing ${onHold > 0 ? 'to pay at the moment' : 'left to pay'}.`
    : `Here is credit note {number} for {amount}. It corrects invoice ${corrects?.number}.`;
  return {
    subject: `${isInvoice ? 'Invoice' : 'Credit note'} {number}: {amount}`,
    text: `Hi {name},\n\n${text}\n\nView the ${isInvoice ? 'invoice' : 'credit note'}: {link}\n\n{tutor}`,
  };
}

function findBlocker({ number, state }: Invoice): string | null {
  if (number === null) return 'Please issue the invoice before sending it.';
  return state === 'void' ? `Invoice ${number} is void.` : null;
}

export async function buildReceiptDraft(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  input: DocumentMessageInput,
): Promise<Draft> {
  const payment = await getPayment(tx, tutorId, id);
  if (payment.kind !== 'payment' || payment.status !== 'completed') {
    throw new AppError('conflict', "There's no receipt for a payment that was reversed.");
  }
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  const format = (minor: number) => formatMoney(minor, payment.currency, 'en-GB');
  const { balances, studentId } = await getAccountStatement(tx, tutorId, payment.familyId);
  const balance = balances.find(({ currency }) => currency === payment.currency);
  const lines = payment.allocations.map((allocation) => {
    // A student who pays for themselves is not named.
    const isPayer = allocation.studentId === studentId;
    const studentPrefix =
      allocation.studentName && !isPayer ? `${firstName(allocation.studentName)}: ` : '';
    const day = formatShortDate(allocation.date, today);
    return `${studentPrefix}${allocation.description}, ${day}, ${format(allocation.amount)}`;
  });
  if (payment.credit > 0) lines.push(`Credit for future lessons, ${format(payment.credit)}`);
  const values = {
    tutor: await getSignature(tx, tutorId),
    number: String(payment.id),
    amount: format(payment.amount - payment.refunded),
    method: METHOD_NAMES[payment.method],
    date: formatShortDate(payment.paymentDate, today),
    lessons: lines.join('\n'),
    balance: formatBalanceSentence(balance, format),
  };
  const draft = await buildDraft(tx, tutorId, payment.familyId, 'receipt', values, input, {
    // The method is left out if it is 'other', because this says nothing about the payment.
    ...(payment.method === 'other' && { omitted: '{method}, ' }),
  });
  return { ...draft, paymentId: id, requestsPayment: false };
}

const METHOD_NAMES: Record<PaymentMethod, string> = {
  cash: 'cash',
  bank_transfer: 'bank transfer',
  card: 'card',
  other: 'another method',
  opening: 'earlier credit',
};

function formatBalanceSentence(
  balance: { owed: number; credit: number } | undefined,
  format: (minor: number) => string,
): string {
  if (balance && balance.owed > 0) return `${format(balance.owed)} is still due.`;
  if (balance && balance.credit > 0) return `Your account is ${format(balance.credit)} in credit.`;
  return 'Your account is up to date.';
}

async function buildDraft(
  tx: Tx,
  tutorId: string,
  familyId: number,
  kind: 'invoice' | 'receipt',
  values: TemplateValues,
  input: DocumentMessageInput,
  options: {
    template?: { subject: string; text: string };
    textValues?: TemplateValues;
    /** A part of the template to leave out. */
    omitted?: string;
  } = {},
): Promise<Omit<Draft, 'requestsPayment'>> {
  const account = await getAccountStatement(tx, tutorId, familyId);
  const { templates } = await getSettings(tx, tutorId);
  const allValues = { ...values, name: firstName(account.name) };
  const [custom, fallback] = [templates[kind], DEFAULT_TEMPLATES[kind]];
  const template = options.template ?? {
    subject: custom.subject || fallback.subject,
    text: omit(custom.text || fallback.text, options.omitted),
  };
  return {
    kind,
    channel: input.channel,
    familyId,
    toName: account.name,
    address: input.channel === 'email' ? account.email : account.phone,
    subject: input.subject || fillTemplate(template.subject, allValues),
    text: input.text || fillTemplate(template.text, { ...allValues, ...options.textValues }),
  };
}

const omit = (text: string, part: string | undefined): string =>
  part === undefined ? text : text.replaceAll(part, '');

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
  { toName, channel, address, requestsPayment }: Draft,
): Promise<string | null> {
  if (requestsPayment && !(await canBePaid(context, tx, tutorId))) return NO_PAYMENT_METHOD_MESSAGE;
  if (!address) return missingAddressMessage({ toName, channel });
  const recipient = { toName, channel, address };
  return (await findRecipientProblems(context, tx, tutorId, [recipient])).get(recipient) ?? null;
}

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
        return [await createDocumentMessage(context, tx, tutorId, id, draft)];
      }),
    );

/** The random part of the dedupe key allows the tutor to resend a document. The idempotency key prevents accidental repeats. */
async function createDocumentMessage(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
  { requestsPayment, blocker, ...draft }: Draft,
): Promise<number> {
  const { address } = draft;
  if (blocker) throw new AppError('conflict', blocker);
  if (requestsPayment && !(await canBePaid(context, tx, tutorId))) {
    throw new AppError('conflict', NO_PAYMENT_METHOD_MESSAGE);
  }
  if (!address) throw new AppError('conflict', missingAddressMessage(draft));
  await consumeEmailQuota(context, tx, tutorId, [{ ...draft, address }]);
  const dedupeKey = `${draft.kind} ${id} ${draft.channel} ${randomToken(9)}`;
  const message = { ...draft, address, dedupeKey };
  return (await createMessage(context, tx, tutorId, message)) as number;
}

/**
 * Emails an issued invoice unless an email has already been sent or queued. Returns the id of the email.
 * The caller holds the tutor's lock, so two batches with the same invoice send one email.
 */
export async function emailInvoiceOnce(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<number> {
  const earlier = await latestInvoiceEmail(tx, tutorId, id).executeTakeFirst();
  if (earlier) return earlier.id;
  const draft = await buildInvoiceDraft(context, tx, tutorId, id, { channel: 'email' });
  return createDocumentMessage(context, tx, tutorId, id, draft);
}

export const previewInvoiceMessage = previewDraft(buildInvoiceDraft);
export const previewReceipt = previewDraft(buildReceiptDraft);
export const sendInvoice = sendDraft(buildInvoiceDraft);
export const sendReceipt = sendDraft(buildReceiptDraft);
