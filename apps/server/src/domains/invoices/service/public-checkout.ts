import type { Currency } from '@lessonbook/contract/money';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { sharedLinkId } from '../../../platform/payment-and-feed-link-tokens.ts';
import { getTutor } from '../../accounts/service/profile/read-tutor.ts';
import { type CheckoutRequest, startCheckout } from '../../cards/service/checkout.ts';
import { getAccountStatement } from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { billingName } from '../rules/party-snapshot.ts';
import { getPayableFamilyId, invoiceVoidError, resolvePayLink } from './public-bill.ts';
import { checkoutByLink } from './rate-limits.ts';
import { getInvoice } from './read.ts';

/** Creates a checkout for the amount currently due. */
export async function startPublicCheckout(
  context: Context,
  token: string,
  currency: Currency,
  requestContext: RequestContext,
): Promise<{ url: string }> {
  const link = await resolvePayLink(context, token, requestContext);
  const { tutorId, kind, targetId } = link;
  await context.limiter.consume(checkoutByLink, sharedLinkId(link));
  const pageUrl = `${context.config.origin}/pay/${token}`;
  if (kind === 'balance') {
    const getRequest = (tx: Tx) => buildBalanceCheckout(tx, tutorId, targetId, currency, pageUrl);
    return startCheckout(context, tutorId, targetId, getRequest);
  }
  const familyId = await getPayableFamilyId(context, link);
  const getRequest = (tx: Tx) =>
    buildInvoiceCheckout(context, tx, tutorId, targetId, currency, pageUrl);
  return startCheckout(context, tutorId, familyId, getRequest);
}

const alreadyPaidError = (): AppError =>
  new AppError('conflict', 'This has already been paid. Thank you!');

async function buildBalanceCheckout(
  tx: Tx,
  tutorId: string,
  familyId: number,
  currency: Currency,
  pageUrl: string,
): Promise<CheckoutRequest> {
  const { name } = await getTutor(tx, tutorId);
  const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
  const account = await getAccountStatement(tx, tutorId, familyId);
  const amount = account.balances.find((balance) => balance.currency === currency)?.owed ?? 0;
  if (amount === 0) throw alreadyPaidError();
  const chargeIds = account.charges
    .filter((charge) => charge.currency === currency)
    .map((charge) => charge.id);
  const title = `Lessons with ${billingName(name, business)}`;
  return { familyId, invoiceId: null, currency, amount, chargeIds, title, pageUrl };
}

async function buildInvoiceCheckout(
  context: Context,
  tx: Tx,
  tutorId: string,
  invoiceId: number,
  currency: Currency,
  pageUrl: string,
): Promise<CheckoutRequest> {
  const invoice = await getInvoice(context, tx, tutorId, invoiceId);
  const { familyId, number, state } = invoice;
  const due = invoice.due - invoice.onHold;
  if (state === 'void') throw invoiceVoidError(number);
  if (invoice.kind !== 'invoice' || due <= 0 || invoice.currency !== currency)
    throw alreadyPaidError();
  const chargeIds = invoice.lines.flatMap((line) => line.chargeId ?? []);
  const title = `Invoice ${number} from ${invoice.parties.from.name}`;
  return { familyId, invoiceId, currency, amount: due, chargeIds, title, pageUrl };
}
