import type { Currency } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Visitor } from '../../../platform/http.ts';
import { readTutor } from '../../accounts/service/profile.ts';
import { type Bill, startCheckout } from '../../cards/service/checkout.ts';
import { readOpenAccount } from '../../payments/service/open-account.ts';
import { businessOf } from '../queries/business.ts';
import { nameOnPaper } from '../rules/parties.ts';
import { checkoutByLink } from './limits.ts';
import { knownLink } from './public-bill.ts';
import { readInvoice } from './read.ts';

/** Opens a fresh page of the provider for what the link is for, as the book stands now. */
export async function payByCard(
  context: Context,
  token: string,
  currency: Currency,
  visitor: Visitor,
): Promise<{ url: string }> {
  const { tutorId, kind, targetId } = await knownLink(context, token, visitor);
  await context.limiter.take(checkoutByLink, token);
  const pageUrl = `${context.config.origin}/pay/${token}`;
  if (kind === 'balance') {
    const bill = () => balanceBill(context, tutorId, targetId, currency, pageUrl);
    return startCheckout(context, tutorId, targetId, bill);
  }
  const { familyId } = await readInvoice(context, tutorId, targetId);
  const bill = () => invoiceBill(context, tutorId, targetId, currency, pageUrl);
  return startCheckout(context, tutorId, familyId, bill);
}

const nothingDue = (): AppError =>
  new AppError('conflict', 'This has been paid already. Thank you!');

async function balanceBill(
  context: Context,
  tutorId: string,
  familyId: number,
  currency: Currency,
  pageUrl: string,
): Promise<Bill> {
  const { name } = await readTutor(context, tutorId);
  const [[business]] = await context.db.readTutor(tutorId, (tx) => [businessOf(tx, tutorId)]);
  const account = await readOpenAccount(context, tutorId, familyId);
  const amount = account.balances.find((balance) => balance.currency === currency)?.owed ?? 0;
  if (amount === 0) throw nothingDue();
  const chargeIds = account.charges
    .filter((charge) => charge.currency === currency)
    .map((charge) => charge.id);
  const title = `Lessons with ${nameOnPaper(name, business)}`;
  return { familyId, invoiceId: null, currency, amount, chargeIds, title, pageUrl };
}

async function invoiceBill(
  context: Context,
  tutorId: string,
  invoiceId: number,
  currency: Currency,
  pageUrl: string,
): Promise<Bill> {
  const invoice = await readInvoice(context, tutorId, invoiceId);
  const { familyId, due, number, state } = invoice;
  if (invoice.kind !== 'invoice' || state === 'void' || due <= 0 || invoice.currency !== currency) {
    throw nothingDue();
  }
  const chargeIds = invoice.lines.flatMap((line) => line.chargeId ?? []);
  const title = `Invoice ${number} of ${invoice.parties.from.name}`;
  return { familyId, invoiceId, currency, amount: due, chargeIds, title, pageUrl };
}
