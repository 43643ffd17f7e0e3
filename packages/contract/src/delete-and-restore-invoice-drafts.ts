import * as z from 'zod/mini';
import { EARLIEST_DATE } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import { InvoiceDraftUpdate } from './invoice-inputs.ts';
import { InvoiceRow } from './invoices.ts';
import { currency, date, id } from './schema-fields.ts';

/* Deleting several drafts at once, and undoing it. */

/** What is needed to restore a deleted draft. It gets a new id, and the amounts of its lessons are read again. */
export const DeletedDraft = z.extend(InvoiceDraftUpdate, {
  familyId: id('Please choose who to invoice'),
  currency,
  periodFrom: z.nullable(z.union([z.literal(EARLIEST_DATE), date()])),
  periodTo: z.nullable(date()),
  dueOn: z.nullable(date()),
  note: z.nullable(z.string().check(z.maxLength(1000))),
});
export type DeletedDraft = z.infer<typeof DeletedDraft>;

export const invoiceDrafts = defineEndpoints({
  deleteInvoiceDrafts: {
    method: 'POST',
    path: '/api/invoices/drafts/delete',
    access: 'login',
    summary: 'Delete invoice drafts, all or none; the response can be used to restore them',
    body: z.object({
      ids: z
        .array(id('Please choose a draft'))
        .check(z.minLength(1, 'Please choose a draft'), z.maxLength(500)),
    }),
    reply: z.object({ drafts: z.array(DeletedDraft) }),
  },
  restoreInvoiceDrafts: {
    method: 'POST',
    path: '/api/invoices/drafts/restore',
    access: 'login',
    summary: 'Restore deleted invoice drafts, all or none',
    body: z.object({
      drafts: z
        .array(DeletedDraft)
        .check(z.minLength(1, 'Please choose a draft'), z.maxLength(500)),
    }),
    reply: z.array(InvoiceRow),
    status: 201,
    idempotent: true,
  },
});
