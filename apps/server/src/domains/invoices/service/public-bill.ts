import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { PublicBill, VoidBill } from '@lessonbook/contract/public-bill';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import {
  findSharedLink,
  type SharedLink,
  sharedLinkId,
} from '../../../platform/payment-and-feed-link-tokens.ts';
import { getTutorContact } from '../../accounts/service/profile/read-tutor.ts';
import { getCardPaymentStatus, getFailedDebit } from '../../cards/service/checkout.ts';
import {
  getAccountStatement,
  getLatestPayment,
  type PaymentSummary,
  recordTransferClaim,
  withdrawTransferClaim,
} from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { formatEntryLabel } from '../../payments/service/charges.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { billingName, toBankDetails } from '../rules/party-snapshot.ts';
import { billByNetwork, claimByLink } from './rate-limits.ts';
import { getInvoice, readInvoice } from './read.ts';

const linkNotFound = (): AppError =>
  new AppError('not_found', "This link doesn't work. Please ask your tutor for a new one.");

export interface PayLink extends SharedLink {
  kind: 'balance' | 'invoice';
}

export async function readPublicBill(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<PublicBill | VoidBill> {
  return buildBill(context, await resolvePayLink(context, token, requestContext));
}

export async function resolvePayLink(
  context: Context,
  token: string,
  requestContext: Pick<RequestContext, 'network'>,
): Promise<PayLink> {
  await context.limiter.consume(billByNetwork, requestContext.network);
  const link = await findSharedLink(context.db, context.config, token);
  if (!link) throw linkNotFound();
  const { tutorId, kind, targetId } = link;
  if (kind !== 'balance' && kind !== 'invoice') throw linkNotFound();
  return { tutorId, kind, targetId };
}

/** The payer reports having sent a transfer. The tutor is notified, but nothing is marked as paid. */
export const claimTransfer = (context: Context, token: string, requestContext: RequestContext) =>
  changeClaim(context, token, requestContext, recordTransferClaim);

export const withdrawClaim = (context: Context, token: string, requestContext: RequestContext) =>
  changeClaim(context, token, requestContext, withdrawTransferClaim);

async function changeClaim(
  context: Context,
  token: string,
  requestContext: RequestContext,
  change: (context: Context, tutorId: string, familyId: number) => Promise<void>,
): Promise<PublicBill> {
  const link = await resolvePayLink(context, token, requestContext);
  await context.limiter.consume(claimByLink, sharedLinkId(link));
  await change(context, link.tutorId, await getPayableFamilyId(context, link));
  const bill = await buildBill(context, link);
  // The invoice was voided in the meantime.
  if (bill.state === 'void') throw invoiceVoidError(bill.number);
  return bill;
}

/** The account that a payment by this link is for. Throws if the invoice is void. */
export async function getPayableFamilyId(context: Context, link: PayLink): Promise<number> {
  if (link.kind === 'balance') return link.targetId;
  const { familyId, state, number } = await readInvoice(context, link.tutorId, link.targetId);
  if (state === 'void') throw invoiceVoidError(number);
  return familyId;
}

export const invoiceVoidError = (number: string | null): AppError =>
  new AppError('conflict', `Invoice ${number} is void. There is nothing to pay.`);

const buildBill = (
  context: Context,
  { kind, tutorId, targetId }: PayLink,
): Promise<PublicBill | VoidBill> =>
  context.db.tutorSnapshot(tutorId, (tx) =>
    kind === 'balance'
      ? buildBalanceBill(context, tx, tutorId, targetId)
      : buildInvoiceBill(context, tx, tutorId, targetId),
  );

const deriveState = (due: boolean, onHold: boolean): PublicBill['state'] =>
  due ? 'due' : onHold ? 'on_hold' : 'paid';

/** What both kinds of bill show about the account and the tutor. */
async function getCommonFields(context: Context, tx: Tx, tutorId: string, familyId: number) {
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const { name, timeZone, email } = await getTutorContact(tx, tutorId);
  const account = await getAccountStatement(tx, tutorId, familyId);
  const latest = await getLatestPayment(tx, tutorId, familyId);
  const failed = await getFailedDebit(tx, tutorId, familyId);
  const failedAt = failed?.failedAt ?? null;
  const isRelevant = failedAt !== null && (latest === null || latest.createdAt < failedAt);
  return {
    tutorName: billingName(name, business),
    account,
    latest,
    bank: toBankDetails(business),
    fields: {
      credits: account.balances
        .filter(({ credit }) => credit > 0)
        .map(({ currency, credit }) => ({ currency, amount: credit })),
      failedPayment:
        failed && isRelevant
          ? {
              amount: failed.amount,
              currency: failed.currency as Currency,
              date: dateInZone(timeZone, failedAt),
            }
          : null,
      contact: { email: business?.email || email, phone: business?.phone ?? null },
      paymentInstructions: business?.paymentInstructions ?? null,
      card: await getCardPaymentStatus(context, tx, tutorId, familyId),
      claimedOn: account.transferClaimedAt && dateInZone(timeZone, account.transferClaimedAt),
    },
  };
}

/** If nothing is due, the bill shows the latest payment and what it was for. */
async function buildBalanceBill(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<PublicBill> {
  const { tutorName, account, latest, bank, fields } = await getCommonFields(
    context,
    tx,
    tutorId,
    familyId,
  );
  const amounts = account.balances.filter((balance) => balance.owed > 0);
  const state = deriveState(amounts.length > 0, account.onHold.length > 0);
  const isPaid = state === 'paid' && latest !== null;
  return {
    kind: 'balance',
    tutorName,
    state,
    amounts: amounts.map(({ currency, owed }) => ({ currency, due: owed })),
    lines: isPaid
      ? latest.charges.map((charge) => ({
          ...toLineText(charge, account.studentId),
          currency: latest.currency,
          amount: charge.amount,
          outstanding: charge.outstanding,
          invoice: null,
        }))
      : account.charges.map((charge) => ({
          ...toLineText(charge, account.studentId),
          currency: charge.currency as Currency,
          amount: charge.amount - charge.credited,
          outstanding: charge.outstanding,
          invoice: charge.invoiceNumber
            ? { number: charge.invoiceNumber, dueOn: charge.dueOn }
            : null,
        })),
    payments: isPaid ? [toPayment(latest)] : [],
    onHold: account.onHold,
    plans: account.plans,
    invoice: null,
    bank,
    reference: account.reference,
    ...fields,
  };
}

const toPayment = ({ amount, currency, date, method }: PaymentSummary) => ({
  amount,
  currency,
  date,
  method,
});

/** A student who pays for themselves is not named. */
const toLineText = (
  charge: {
    studentId: number | null;
    studentName: string | null;
    kind: string;
    subjectName: string | null;
    description: string | null;
    date: string;
  },
  payerStudentId: number | null,
) => ({
  studentName:
    charge.studentName === null || charge.studentId === payerStudentId
      ? null
      : firstName(charge.studentName),
  description: formatEntryLabel(charge),
  date: charge.date,
});

async function buildInvoiceBill(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<PublicBill | VoidBill> {
  const invoice = await getInvoice(context, tx, tutorId, id);
  const { currency, number, issuedOn, dueOn, total, paid, credited, writtenOff, note, onHold } =
    invoice;
  if (number === null || issuedOn === null) throw linkNotFound();
  if (invoice.state === 'void') return { kind: 'invoice', state: 'void', number };
  const { bank, fields } = await getCommonFields(context, tx, tutorId, invoice.familyId);
  const due = invoice.kind === 'invoice' ? invoice.due - onHold : 0;
  const { from, reference } = invoice.parties;
  return {
    kind: 'invoice',
    tutorName: from.name,
    state: deriveState(due > 0, onHold > 0),
    amounts: due > 0 ? [{ currency, due }] : [],
    lines: invoice.lines.map(({ studentName, description, date, amount, outstanding }) => ({
      studentName,
      description,
      date,
      currency,
      amount,
      outstanding: outstanding ?? 0,
      invoice: null,
    })),
    payments: invoice.payments.map((payment) => ({ ...payment, currency })),
    plans: [],
    onHold:
      onHold > 0 ? [{ currency, amount: onHold, reason: invoice.holdReason ?? 'refund' }] : [],
    invoice: {
      number,
      issuedOn,
      dueOn,
      total,
      paid,
      credited,
      writtenOff,
      creditNotes: invoice.creditNotes.map((creditNote) => ({
        number: creditNote.number,
        total: creditNote.total,
        reason: creditNote.reason,
      })),
      note,
    },
    // An invoice that was issued before the tutor entered bank details shows the current ones.
    bank: invoice.parties.bank ?? bank,
    reference,
    ...fields,
    contact: {
      email: from.email || fields.contact.email,
      phone: from.phone || fields.contact.phone,
    },
  };
}
