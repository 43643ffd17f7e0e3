import { firstName } from '@lessonbook/contract/first-name';
import type { Currency } from '@lessonbook/contract/money';
import type { PublicBill } from '@lessonbook/contract/public-bill';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import { executeBatch } from '../../../platform/db/batch.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { readPublicLink } from '../../../platform/public-link-store.ts';
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

interface PayLink {
  tutorId: string;
  kind: 'balance' | 'invoice';
  targetId: number;
}

export async function readPublicBill(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<PublicBill> {
  return buildBill(context, await resolvePayLink(context, token, requestContext));
}

export async function resolvePayLink(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<PayLink> {
  await context.limiter.consume(billByNetwork, requestContext.network);
  const link = await readPublicLink(context.db, token);
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
  await context.limiter.consume(claimByLink, token);
  const familyId =
    link.kind === 'balance'
      ? link.targetId
      : (await readInvoice(context, link.tutorId, link.targetId)).familyId;
  await recordTransferClaim(context, link.tutorId, familyId);
  return buildBill(context, link);
}

const buildBill = (context: Context, { kind, tutorId, targetId }: PayLink): Promise<PublicBill> =>
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
): Promise<PublicBill> {
  const timeZone = await getTimeZone(tx, tutorId);
  const invoice = await getInvoice(context, tx, tutorId, id);
  const account = await getAccountStatement(tx, tutorId, invoice.familyId);
  const { currency, number, issuedOn, dueOn, total, paid, credited, note } = invoice;
  if (number === null || issuedOn === null) throw linkNotFound();
  const isDue = invoice.kind === 'invoice' && invoice.state !== 'void' && invoice.due > 0;
  return {
    kind: 'invoice',
    tutorName: invoice.parties.from.name,
    state: invoice.state === 'void' ? 'void' : isDue ? 'due' : 'paid',
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
