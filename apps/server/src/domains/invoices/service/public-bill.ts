import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { PublicBill, VoidBill } from '@lessonbook/contract/public-bill';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { findSharedLink, type SharedLink, sharedLinkId } from '../../../platform/shared-links.ts';
import {
  getTimeZone,
  toTutorOrThrow,
  tutorQuery,
} from '../../accounts/service/profile/read-tutor.ts';
import { getCardPaymentStatus } from '../../cards/service/checkout.ts';
import {
  getAccountStatement,
  recordTransferClaim,
} from '../../payments/service/account-statement.ts';
import { formatEntryLabel } from '../../payments/service/charges.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { billingName, toBankDetails } from '../rules/party-snapshot.ts';
import { billByNetwork, claimByLink } from './rate-limits.ts';
import { getInvoice, readInvoice } from './read.ts';

const linkNotFound = (): AppError =>
  new AppError('not_found', 'This link is not known. Please ask your tutor for a new one.');

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
export async function claimTransfer(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<PublicBill> {
  const link = await resolvePayLink(context, token, requestContext);
  await context.limiter.consume(claimByLink, sharedLinkId(link));
  await recordTransferClaim(context, link.tutorId, await getPayableFamilyId(context, link));
  const bill = await buildBill(context, link);
  // The invoice was voided in the meantime.
  if (bill.state === 'void') throw invoiceVoid(bill.number);
  return bill;
}

/** The account that a payment by this link is for. Throws if the invoice is void. */
export async function getPayableFamilyId(context: Context, link: PayLink): Promise<number> {
  if (link.kind === 'balance') return link.targetId;
  const { familyId, state, number } = await readInvoice(context, link.tutorId, link.targetId);
  if (state === 'void') throw invoiceVoid(number);
  return familyId;
}

export const invoiceVoid = (number: string | null): AppError =>
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

async function buildBalanceBill(
  context: Context,
  tx: Tx,
  tutorId: string,
  familyId: number,
): Promise<PublicBill> {
  const [tutors, [business]] = await executeBatch(tx, [
    tutorQuery(tx, tutorId),
    businessSettingsByTutor(tx, tutorId),
  ]);
  const { name, timeZone } = toTutorOrThrow(tutors);
  const account = await getAccountStatement(tx, tutorId, familyId);
  const amounts = account.balances.filter((balance) => balance.owed > 0);
  return {
    kind: 'balance',
    tutorName: billingName(name, business),
    state: amounts.length > 0 ? 'due' : 'paid',
    amounts: amounts.map(({ currency, owed }) => ({ currency, due: owed })),
    lines: account.charges.map((charge) => ({
      studentName: charge.studentName === null ? null : firstName(charge.studentName),
      description: formatEntryLabel(charge),
      date: charge.date,
      currency: charge.currency as Currency,
      amount: charge.amount - charge.credited,
      outstanding: charge.outstanding,
    })),
    invoice: null,
    bank: toBankDetails(business),
    card: await getCardPaymentStatus(context, tx, tutorId, familyId),
    reference: account.reference,
    claimedOn: account.transferClaimedAt && dateInZone(timeZone, account.transferClaimedAt),
  };
}

async function buildInvoiceBill(
  context: Context,
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<PublicBill | VoidBill> {
  const timeZone = await getTimeZone(tx, tutorId);
  const invoice = await getInvoice(context, tx, tutorId, id);
  const account = await getAccountStatement(tx, tutorId, invoice.familyId);
  const { currency, number, issuedOn, dueOn, total, paid, credited, note } = invoice;
  if (number === null || issuedOn === null) throw linkNotFound();
  if (invoice.state === 'void') return { kind: 'invoice', state: 'void', number };
  const isDue = invoice.kind === 'invoice' && invoice.due > 0;
  return {
    kind: 'invoice',
    tutorName: invoice.parties.from.name,
    state: isDue ? 'due' : 'paid',
    amounts: isDue ? [{ currency, due: invoice.due }] : [],
    lines: invoice.lines.map(({ studentName, description, date, amount, outstanding }) => ({
      studentName,
      description,
      date,
      currency,
      amount,
      outstanding: outstanding ?? 0,
    })),
    invoice: { number, issuedOn, dueOn, total, paid, credited, note },
    bank: invoice.parties.bank,
    card: await getCardPaymentStatus(context, tx, tutorId, invoice.familyId),
    reference: invoice.parties.reference,
    claimedOn: account.transferClaimedAt && dateInZone(timeZone, account.transferClaimedAt),
  };
}
