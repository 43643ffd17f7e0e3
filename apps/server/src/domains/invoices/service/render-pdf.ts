import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { FileResponse } from '../../../platform/http/file-response-types.ts';
import type { RequestContext } from '../../../platform/http/request-context.ts';
import { getCardPaymentStatus } from '../../cards/service/checkout.ts';
import { documentTitle, type InvoicePdfInput } from './invoice-pdf-layout.ts';
import { resolvePayLink } from './public-bill.ts';
import { consumePdfLimit, pdfByLink } from './rate-limits.ts';
import { getInvoice } from './read.ts';

export async function renderInvoicePdf(
  context: Context,
  tutorId: string,
  id: number,
): Promise<FileResponse> {
  const { invoice, acceptsCards } = await context.db.tutorSnapshot(tutorId, async (tx) => {
    const found = await getInvoice(context, tx, tutorId, id);
    const card = await getCardPaymentStatus(context, tx, tutorId, found.familyId);
    return { invoice: found, acceptsCards: card !== null };
  });
  const link = invoice.token === null ? null : `${context.config.origin}/pay/${invoice.token}`;
  const input: InvoicePdfInput = { invoice, link, acceptsCards, now: context.clock.now() };
  return {
    name: `${documentTitle(invoice)}.pdf`,
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

/** Links to a balance have no PDF. */
export async function renderPublicInvoicePdf(
  context: Context,
  token: string,
  requestContext: RequestContext,
): Promise<FileResponse> {
  const link = await resolvePayLink(context, token, requestContext);
  if (link.kind !== 'invoice')
    throw new AppError('not_found', 'There is no invoice behind this link.');
  await context.limiter.consume(pdfByLink, token);
  return renderInvoicePdf(context, link.tutorId, link.targetId);
}
