import type { Channel, MessagePreview } from '@lessonbook/contract/messages';
import { formatMoney } from '@lessonbook/contract/money';
import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { randomToken } from '../../../platform/crypto.ts';
import { once, type Repeatable } from '../../../platform/idempotency.ts';
import { readTutor } from '../../accounts/service/profile.ts';
import { readInvoice } from '../../invoices/service/read.ts';
import { readOpenAccount } from '../../payments/service/open-account.ts';
import { readPayment } from '../../payments/service/read-payments.ts';
import { fill, PROPOSALS, shortDate, type Values } from '../rules/words.ts';
import { addMessage, type Outgoing } from './add-message.ts';
import { noAddress } from './payment-reminder.ts';
import { readReminders } from './settings.ts';

export interface ByHand {
  channel: Channel;
  subject?: string | null | undefined;
  text?: string | null | undefined;
}

type Draft = Omit<Outgoing, 'address' | 'intent'> & { address: string | null };

async function invoiceDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
): Promise<Draft> {
  const invoice = await readInvoice(context, tutorId, id);
  if (invoice.number === null || invoice.token === null) {
    throw new AppError('conflict', 'Please issue the invoice before sending it.');
  }
  const tutor = await readTutor(context, tutorId);
  const today = dateIn(tutor.timeZone, context.clock.now());
  const link = `${context.config.origin}/pay/${invoice.token}`;
  const values = {
    number: invoice.number,
    amount: formatMoney(invoice.due, invoice.currency, 'en-GB'),
    due: shortDate(invoice.dueOn ?? today, today),
    link,
    tutor: tutor.name,
  };
  const draft = await draftTo(context, tutorId, invoice.familyId, 'invoice', values, input);
  return { ...draft, invoiceId: id };
}

async function receiptDraft(
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
): Promise<Draft> {
  const payment = await readPayment(context, tutorId, id);
  if (payment.kind !== 'payment' || payment.status !== 'completed') {
    throw new AppError('conflict', 'There is a receipt only for a payment that stands.');
  }
  const tutor = await readTutor(context, tutorId);
  const today = dateIn(tutor.timeZone, context.clock.now());
  const money = (minor: number) => formatMoney(minor, payment.currency, 'en-GB');
  const { owed, credit } = payment.balance;
  const values = {
    tutor: tutor.name,
    amount: money(payment.amount - payment.refunded),
    date: shortDate(payment.paymentDate, today),
    lessons: payment.covers
      .map((cover) => {
        const child = cover.studentName ? `${firstName(cover.studentName)}: ` : '';
        const day = shortDate(cover.date, today);
        return `${child}${cover.description}, ${day}, ${money(cover.amount)}`;
      })
      .join('\n'),
    rest:
      owed > 0
        ? `${money(owed)} is still to be paid.`
        : credit > 0
          ? `${money(credit)} is left as credit for the next lessons.`
          : 'Everything is paid.',
  };
  const draft = await draftTo(context, tutorId, payment.familyId, 'receipt', values, input);
  return { ...draft, paymentId: id };
}

async function draftTo(
  context: Context,
  tutorId: string,
  familyId: number,
  kind: 'invoice' | 'receipt',
  values: Values,
  input: ByHand,
): Promise<Draft> {
  const account = await readOpenAccount(context, tutorId, familyId);
  const { templates } = await readReminders(context, tutorId);
  const all = { ...values, name: firstName(account.name) };
  const [own, proposal] = [templates[kind], PROPOSALS[kind]];
  return {
    kind,
    channel: input.channel,
    familyId,
    toName: account.name,
    address: input.channel === 'email' ? account.email : account.phone,
    subject: input.subject || fill(own.subject || proposal.subject, all),
    text: input.text || fill(own.text || proposal.text, all),
  };
}

export const previewInvoiceMessage = async (
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
): Promise<MessagePreview> => preview(await invoiceDraft(context, tutorId, id, input));

export const previewReceipt = async (
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
): Promise<MessagePreview> => preview(await receiptDraft(context, tutorId, id, input));

function preview({ familyId, toName, channel, address, subject, text }: Draft): MessagePreview {
  const problem = address ? null : noAddress({ toName, channel });
  return { familyId, sessionIds: [], toName, channel, address, subject, text, at: null, problem };
}

export const sendInvoice = async (
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
  repeat: Repeatable | null,
): Promise<number[]> =>
  goOut(context, tutorId, await invoiceDraft(context, tutorId, id, input), repeat);

export const sendReceipt = async (
  context: Context,
  tutorId: string,
  id: number,
  input: ByHand,
  repeat: Repeatable | null,
): Promise<number[]> =>
  goOut(context, tutorId, await receiptDraft(context, tutorId, id, input), repeat);

/** By hand it may be sent again; a repeat by accident is told by its key. */
async function goOut(
  context: Context,
  tutorId: string,
  draft: Draft,
  repeat: Repeatable | null,
): Promise<number[]> {
  const { address } = draft;
  if (!address) throw new AppError('conflict', noAddress(draft));
  const now = context.clock.now();
  return context.db.withTutor(tutorId, (tx) =>
    once(tx, tutorId, repeat, now, async () => {
      const about = `${draft.kind} ${draft.invoiceId ?? draft.paymentId}`;
      const intent = `${about} ${draft.channel} ${randomToken(9)}`;
      const id = await addMessage(context, tx, tutorId, { ...draft, address, intent });
      return id === null ? [] : [id];
    }),
  );
}
