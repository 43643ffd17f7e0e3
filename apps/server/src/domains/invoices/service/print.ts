import type { Context } from '../../../context.ts';
import { AppError } from '../../../platform/app-error.ts';
import type { FileReply } from '../../../platform/file-replies.ts';
import type { Visitor } from '../../../platform/http.ts';
import { readCards } from '../../cards/service/checkout.ts';
import { drawInvoice, titleOf } from './invoice-pdf.ts';
import { knownLink } from './public-bill.ts';
import { readInvoice } from './read.ts';

export async function printInvoice(
  context: Context,
  tutorId: string,
  id: number,
): Promise<FileReply> {
  const invoice = await readInvoice(context, tutorId, id);
  const byCard = (await readCards(context, tutorId, invoice.familyId)) !== null;
  const link = invoice.token === null ? null : `${context.config.origin}/pay/${invoice.token}`;
  return {
    name: `${titleOf(invoice)}.pdf`,
    body: await drawInvoice({ invoice, link, byCard, now: context.clock.now() }),
  };
}

/** The same paper for the payer; a balance is no document. */
export async function printBill(
  context: Context,
  token: string,
  visitor: Visitor,
): Promise<FileReply> {
  const link = await knownLink(context, token, visitor);
  if (link.kind !== 'invoice')
    throw new AppError('not_found', 'There is no invoice behind this link.');
  return printInvoice(context, link.tutorId, link.targetId);
}
