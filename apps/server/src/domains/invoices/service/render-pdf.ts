import type { Invoice } from '@lessonbook/contract/invoices';
import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { FileResponse } from '../../../platform/http/file-responses.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { sharedLinkId } from '../../../platform/payment-and-feed-link-tokens.ts';
import { getCardPaymentStatus } from '../../cards/service/checkout.ts';
import { getAccountStatement } from '../../payments/service/amounts-owed-and-transfer-claims.ts';
import { businessSettingsByTutor } from '../queries/business-settings.ts';
import { toBankDetails } from '../rules/party-snapshot.ts';
import { invoiceNotFound } from './guards.ts';
import { documentTitle, type InvoicePdfInput } from './invoice-pdf-layout.ts';
import { resolvePayLink } from './public-bill.ts';
import { consumePdfLimit, pdfByLink } from './rate-limits.ts';
import { getInvoice } from './read.ts';

/** The full document, for the tutor and for the email to the payer. */
export async function renderInvoicePdf(
  context: Context,
  tutorId: string,
  id: number,
): Promise<FileResponse> {
  return renderDocument(context, tutorId, await readPdfInput(context, tutorId, id));
}

/** An issued invoice of this account, for a person who may see it. Only the payer gets the addresses. */
export async function renderAccountInvoicePdf(
  context: Context,
  tutorId: string,
  { familyId, id, withAddresses }: { familyId: number; id: number; withAddresses: boolean },
): Promise<FileResponse> {
  const input = await readPdfInput(context, tutorId, id);
  const { invoice } = input;
  if (invoice.familyId !== familyId || invoice.number === null || invoice.state === 'void')
    throw invoiceNotFound();
  if (withAddresses) return renderDocument(context, tutorId, input);
  // Leave out the link: with it, the reader could pay and see the invoice even after their access has ended.
  return renderDocument(context, tutorId, {
    ...input,
    link: null,
    invoice: withoutContactDetails(invoice),
  });
}

async function readPdfInput(
  context: Context,
  tutorId: string,
  id: number,
): Promise<InvoicePdfInput> {
  return context.db.tutorSnapshot(tutorId, async (tx) => {
    const invoice = await getInvoice(context, tx, tutorId, id);
    const card = await getCardPaymentStatus(context, tx, tutorId, invoice.familyId);
    const { balances } = await getAccountStatement(tx, tutorId, invoice.familyId);
    const business = await businessSettingsByTutor(tx, tutorId).executeTakeFirst();
    return {
      invoice,
      link: invoice.token === null ? null : `${context.config.origin}/pay/${invoice.token}`,
      // As on the page behind the link: an invoice issued before the tutor entered bank details shows the current ones.
      bank: invoice.parties.bank ?? toBankDetails(business),
      paymentInstructions: business?.paymentInstructions ?? null,
      acceptsCards: card !== null,
      credit: balances.find(({ currency }) => currency === invoice.currency)?.credit ?? 0,
      now: context.clock.now(),
    };
  });
}

async function renderDocument(
  context: Context,
  tutorId: string,
  input: InvoicePdfInput,
): Promise<FileResponse> {
  return {
    name: `${documentTitle(input.invoice)}.pdf`,
    body: await context.pdf.render(tutorId, 'drawInvoice', input),
  };
}

export async function downloadInvoicePdf(
  context: Context,
  tutorId: string,
  id: number,
  requestContext: RequestContext,
): Promise<FileResponse> {
  await consumePdfLimit(context, tutorId, requestContext);
  return renderInvoicePdf(context, tutorId, id);
}

/** Contains only what the page behind the link shows. Links to a balance have no PDF. */
export async function renderPublicInvoicePdf(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<FileResponse> {
  const link = await resolvePayLink(context, token, requestContext);
  if (link.kind !== 'invoice')
    throw new AppError(
      'not_found',
      "This link doesn't lead to an invoice. Please ask your tutor for a new one.",
    );
  await context.limiter.consume(pdfByLink, sharedLinkId(link));
  const { tutorId, targetId } = link;
  const input = await readPdfInput(context, tutorId, targetId);
  const { invoice, now } = input;
  if (invoice.state === 'void') {
    const title = documentTitle(invoice);
    const body = await context.pdf.render(tutorId, 'drawVoidInvoice', { title, now });
    return { name: `${title}.pdf`, body };
  }
  return renderDocument(context, tutorId, { ...input, invoice: withoutContactDetails(invoice) });
}

/** Keeps the tutor's billing name, which the page shows too. */
const withoutContactDetails = (invoice: Invoice): Invoice => ({
  ...invoice,
  parties: {
    ...invoice.parties,
    from: { name: invoice.parties.from.name, address: null, email: null, phone: null, extra: null },
    to: { name: '', address: null },
  },
});
