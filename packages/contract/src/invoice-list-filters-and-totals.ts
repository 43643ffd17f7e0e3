import * as z from 'zod/mini';
import { currency, minorUnits } from './schema-fields.ts';

/** The filters of the list. 'sent' means issued and unpaid, but not overdue. */
export const INVOICE_FILTERS = ['draft', 'sent', 'overdue', 'paid'] as const;
export type InvoiceStateFilter = (typeof INVOICE_FILTERS)[number];

export const InvoiceSummary = z.object({
  /** Rows in each state for the other filters. */
  counts: z.object({
    all: z.number(),
    draft: z.number(),
    sent: z.number(),
    overdue: z.number(),
    paid: z.number(),
  }),
  /** Without void invoices; credit notes are subtracted. */
  totals: z.array(z.object({ currency, total: minorUnits, due: minorUnits, overdue: minorUnits })),
  /** Lessons and items that are on no invoice and no draft, whatever the filter. */
  uninvoiced: z.object({
    lessons: z.number(),
    families: z.number(),
    totals: z.array(z.object({ currency, amount: minorUnits })),
  }),
});
export type InvoiceSummary = z.infer<typeof InvoiceSummary>;

export const INVOICE_SORT_KEYS = ['number', 'family', 'issued', 'due', 'amount'] as const;
export type InvoiceSortKey = (typeof INVOICE_SORT_KEYS)[number];
