import { AppError } from '../../../platform/app-error.ts';
import type { Tx } from '../../../platform/db/database.ts';
import { type InvoiceRecord, invoiceById, invoicesByIds } from '../queries/invoices.ts';

export const invoiceNotFound = (): AppError =>
  new AppError('not_found', "We couldn't find that invoice.");

export async function getInvoiceOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<InvoiceRecord> {
  const [invoice] = await invoiceById(tx, tutorId, id).execute();
  if (!invoice) throw invoiceNotFound();
  return invoice;
}

export async function getDraftOrThrow(tx: Tx, tutorId: string, id: number): Promise<InvoiceRecord> {
  const [draft] = (await getDraftsOrThrow(tx, tutorId, [id])) as [InvoiceRecord];
  return draft;
}

/** Returns the drafts in the given order. */
export async function getDraftsOrThrow(
  tx: Tx,
  tutorId: string,
  ids: readonly number[],
): Promise<InvoiceRecord[]> {
  const found = await invoicesByIds(tx, tutorId, ids).execute();
  const byId = new Map(found.map((invoice) => [invoice.id, invoice]));
  return ids.map((id) => {
    const invoice = byId.get(id);
    if (!invoice) throw invoiceNotFound();
    if (invoice.issuedOn !== null) {
      throw new AppError(
        'conflict',
        `Invoice ${invoice.number} has been issued and can't be changed.`,
      );
    }
    return invoice;
  });
}

export async function getIssuedInvoiceOrThrow(
  tx: Tx,
  tutorId: string,
  id: number,
): Promise<InvoiceRecord> {
  const invoice = await getInvoiceOrThrow(tx, tutorId, id);
  if (invoice.kind !== 'invoice' || invoice.issuedOn === null) {
    throw new AppError('conflict', 'Only an issued invoice can be corrected.');
  }
  if (invoice.voidedOn !== null) {
    throw new AppError('conflict', `Invoice ${invoice.number} is void.`);
  }
  return invoice;
}
