import type { PublicBill } from '@lessonbook/contract/bills';
import type { Currency } from '@lessonbook/contract/money';
import { firstName } from '@lessonbook/contract/names';
import { dateIn } from '@lessonbook/contract/time';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Visitor } from '../../../platform/http.ts';
import { readPublicLink } from '../../../platform/public-links.ts';
import { readTutor } from '../../accounts/service/profile.ts';
import { readCards } from '../../cards/service/checkout.ts';
import { describeEntry } from '../../payments/service/describe.ts';
import { noteClaim, readOpenAccount } from '../../payments/service/open-account.ts';
import { businessOf } from '../queries/business.ts';
import { bankOf, nameOnPaper } from '../rules/parties.ts';
import { billByNetwork, claimByLink } from './limits.ts';
import { readInvoice } from './read.ts';

const unknownLink = (): AppError =>
  new AppError('not_found', 'This link is not known. Please ask your tutor for a new one.');

interface Link {
  tutorId: string;
  kind: 'balance' | 'invoice';
  targetId: number;
}

/** Opening a link changes nothing; what it shows is read anew each time. */
export async function readBill(
  context: Context,
  token: string,
  visitor: Visitor,
): Promise<PublicBill> {
  return billBehind(context, await knownLink(context, token, visitor));
}

export async function knownLink(context: Context, token: string, visitor: Visitor): Promise<Link> {
  await context.limiter.take(billByNetwork, visitor.network);
  const link = await readPublicLink(context.db, token);
  if (!link) throw unknownLink();
  const { tutorId, kind, targetId } = link;
  if (kind !== 'balance' && kind !== 'invoice') throw unknownLink();
  return { tutorId, kind, targetId };
}

/** The payer's word that money is on its way: the tutor is asked to look, nothing is marked as paid. */
export async function claimTransfer(
  context: Context,
  token: string,
  visitor: Visitor,
): Promise<PublicBill> {
  const link = await knownLink(context, token, visitor);
  await context.limiter.take(claimByLink, token);
  const familyId =
    link.kind === 'balance'
      ? link.targetId
      : (await readInvoice(context, link.tutorId, link.targetId)).familyId;
  await noteClaim(context, link.tutorId, familyId);
  return billBehind(context, link);
}

async function billBehind(context: Context, link: Link): Promise<PublicBill> {
  return link.kind === 'balance'
    ? billOfBalance(context, link.tutorId, link.targetId)
    : billOfInvoice(context, link.tutorId, link.targetId);
}

async function billOfBalance(
  context: Context,
  tutorId: string,
  familyId: number,
): Promise<PublicBill> {
  const { name, timeZone } = await readTutor(context, tutorId);
  const account = await readOpenAccount(context, tutorId, familyId);
  const [[business]] = await context.db.readTutor(tutorId, (tx) => [businessOf(tx, tutorId)]);
  const amounts = account.balances.filter((balance) => balance.owed > 0);
  return {
    kind: 'balance',
    tutorName: nameOnPaper(name, business),
    state: amounts.length > 0 ? 'due' : 'paid',
    amounts: amounts.map(({ currency, owed }) => ({ currency, due: owed })),
    lines: account.charges.map((charge) => ({
      studentName: charge.studentName === null ? null : firstName(charge.studentName),
      description: describeEntry(charge),
      date: charge.date,
      currency: charge.currency as Currency,
      amount: charge.amount - charge.credited,
      outstanding: charge.outstanding,
    })),
    invoice: null,
    bank: bankOf(business),
    card: await readCards(context, tutorId, familyId),
    reference: account.reference,
    claimedOn: account.claimedAt && dateIn(timeZone, account.claimedAt),
  };
}

async function billOfInvoice(context: Context, tutorId: string, id: number): Promise<PublicBill> {
  const { timeZone } = await readTutor(context, tutorId);
  const invoice = await readInvoice(context, tutorId, id);
  const account = await readOpenAccount(context, tutorId, invoice.familyId);
  const { currency, number, issuedOn, dueOn, total, paid, credited, note } = invoice;
  if (number === null || issuedOn === null) throw unknownLink();
  const owes = invoice.kind === 'invoice' && invoice.state !== 'void' && invoice.due > 0;
  return {
    kind: 'invoice',
    tutorName: invoice.parties.from.name,
    state: invoice.state === 'void' ? 'void' : owes ? 'due' : 'paid',
    amounts: owes ? [{ currency, due: invoice.due }] : [],
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
    card: await readCards(context, tutorId, invoice.familyId),
    reference: invoice.parties.reference,
    claimedOn: account.claimedAt && dateIn(timeZone, account.claimedAt),
  };
}
