import * as z from 'zod/mini';
import { BankDetails } from './business-settings.ts';
import { defineEndpoints } from './endpoint.ts';
import {
  CreditNoteInput,
  InvoiceDraftInput,
  InvoiceDraftUpdate,
  InvoicePeriod,
  VoidInvoiceInput,
} from './invoice-inputs.ts';
import {
  INVOICE_FILTERS,
  INVOICE_SORT_KEYS,
  InvoiceSummary,
} from './invoice-list-filters-and-totals.ts';
import { PAYMENT_METHODS } from './payments.ts';
import {
  currency,
  date,
  IdParams,
  id,
  idParam,
  minorUnits,
  paginationFields,
} from './schema-fields.ts';

/* An invoice gets its number when it is issued, and it never changes after that. */

/** Computed from the issue date, the due date and payments; not stored. */
/** Why the payer is not asked for an amount yet. */
export const HOLD_REASONS = ['query', 'refund', 'dispute', 'instalments'] as const;

export const INVOICE_STATES = [
  'draft',
  'sent',
  'part_paid',
  'paid',
  'overdue',
  'on_hold',
  'written_off',
  'void',
] as const;
export type InvoiceState = (typeof INVOICE_STATES)[number];

export const INVOICE_KINDS = ['invoice', 'credit_note'] as const;

export const InvoiceRow = z.object({
  id: z.number(),
  kind: z.enum(INVOICE_KINDS),
  number: z.nullable(z.string()),
  state: z.enum(INVOICE_STATES),
  familyId: z.number(),
  familyName: z.string(),
  students: z.array(z.string()),
  currency,
  total: minorUnits,
  /** The unpaid amount. */
  due: minorUnits,
  /** The part of `due` that the payer is not asked for, because of a question, refund, dispute or instalment plan. */
  onHold: minorUnits,
  holdReason: z.nullable(z.enum(HOLD_REASONS)),
  issuedOn: z.nullable(z.string()),
  dueOn: z.nullable(z.string()),
  lineCount: z.number(),
  /** The token of the public page; null until the invoice is issued. */
  token: z.nullable(z.string()),
});
export type InvoiceRow = z.infer<typeof InvoiceRow>;

/** A row of the list, with the latest message and payment. */
export const InvoiceListRow = z.extend(InvoiceRow, {
  /** The latest message with the invoice. A message that was sent takes precedence over one that failed. */
  message: z.nullable(
    z.object({
      channel: z.enum(['email', 'whatsapp']),
      state: z.enum(['waiting', 'sent', 'failed']),
      at: z.string(),
    }),
  ),
  /** Payment reminders that the payer has been sent since the invoice was issued. */
  reminderCount: z.number(),
  /** The last payment for the invoice. */
  payment: z.nullable(z.object({ method: z.enum(PAYMENT_METHODS), date: z.string() })),
  voidedOn: z.nullable(z.string()),
});
export type InvoiceListRow = z.infer<typeof InvoiceListRow>;

export const InvoiceLine = z.object({
  position: z.number(),
  chargeId: z.nullable(z.number()),
  sessionId: z.nullable(z.number()),
  studentId: z.nullable(z.number()),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  amount: minorUnits,
  /** Whether this is a future session; issuing the invoice creates its charge. */
  isFutureSession: z.boolean(),
  /** The unpaid part of its charge, and the amount credited by credit notes. */
  outstanding: z.nullable(minorUnits),
  credited: minorUnits,
});
export type InvoiceLine = z.infer<typeof InvoiceLine>;

/** Both parties as they were at issue; for a draft, as they are now. */
export const InvoiceParties = z.object({
  from: z.object({
    name: z.string(),
    address: z.nullable(z.string()),
    email: z.nullable(z.string()),
    phone: z.nullable(z.string()),
    extra: z.nullable(z.string()),
  }),
  to: z.object({ name: z.string(), address: z.nullable(z.string()) }),
  bank: z.nullable(BankDetails),
  reference: z.string(),
});
export type InvoiceParties = z.infer<typeof InvoiceParties>;

const linkedDocument = z.object({ id: z.number(), number: z.string() });
const creditNote = z.extend(linkedDocument, { total: minorUnits, reason: z.nullable(z.string()) });

export const Invoice = z.extend(InvoiceRow, {
  lines: z.array(InvoiceLine),
  parties: InvoiceParties,
  note: z.nullable(z.string()),
  paid: minorUnits,
  /** Includes what was written off. */
  credited: minorUnits,
  writtenOff: minorUnits,
  periodFrom: z.nullable(z.string()),
  periodTo: z.nullable(z.string()),
  voidedOn: z.nullable(z.string()),
  voidReason: z.nullable(z.string()),
  /** For a credit note, the invoice that it corrects. */
  corrects: z.nullable(linkedDocument),
  /** When the bank details on the payment page were changed, if that was in the last day. */
  bankDetailsChangedAt: z.nullable(z.string()),
  creditNotes: z.array(creditNote),
  /** The payments for the lines, oldest first. */
  payments: z.array(
    z.object({ date: z.string(), method: z.enum(PAYMENT_METHODS), amount: minorUnits }),
  ),
});
export type Invoice = z.infer<typeof Invoice>;

const filterFields = {
  familyId: z.optional(idParam),
  /** The range of issue dates. Drafts have no issue date and are always included. */
  from: z.optional(date()),
  to: z.optional(date()),
  /** Each word must match the number, the payer's or a child's name, or the amount. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
};
const stateFilter = z.optional(z.enum([...INVOICE_STATES, 'open']));
const sortFields = {
  sort: z._default(z.enum(INVOICE_SORT_KEYS), 'issued'),
  direction: z._default(z.enum(['asc', 'desc']), 'desc'),
};

export const invoices = defineEndpoints({
  listInvoices: {
    method: 'GET',
    path: '/api/invoices',
    access: 'login',
    summary: 'Invoices and credit notes, by default drafts first, then newest first',
    query: z.object({ state: stateFilter, ...filterFields, ...sortFields, ...paginationFields }),
    reply: z.array(InvoiceListRow),
  },
  invoiceSummary: {
    method: 'GET',
    path: '/api/invoices/summary',
    access: 'login',
    summary: 'Counts by state and totals by currency of the filtered invoices',
    query: z.object({ state: z.optional(z.enum(INVOICE_FILTERS)), ...filterFields }),
    reply: InvoiceSummary,
  },
  invoicesCsv: {
    method: 'GET',
    path: '/api/invoices/list.csv',
    access: 'login',
    summary: 'The filtered or selected invoices as a CSV file, at most 10,000',
    query: z.object({
      state: stateFilter,
      ...filterFields,
      ...sortFields,
      /** Ids of the selected invoices, such as '12-13-14'. */
      ids: z.optional(z.string().check(z.regex(/^\d{1,9}(-\d{1,9}){0,499}$/))),
    }),
    file: 'text/csv',
    reply: z.string(),
  },
  draftInvoice: {
    method: 'POST',
    path: '/api/invoices',
    access: 'login',
    summary: "Draft invoices for a payer's charges in a period, one per currency",
    body: InvoiceDraftInput,
    reply: z.array(InvoiceRow),
    status: 201,
    idempotent: true,
  },
  draftAllInvoices: {
    method: 'POST',
    path: '/api/invoices/bulk',
    access: 'login',
    summary: 'Draft invoices for all payers with uninvoiced charges',
    body: InvoicePeriod,
    reply: z.array(InvoiceRow),
    status: 201,
    idempotent: true,
  },
  issueInvoices: {
    method: 'POST',
    path: '/api/invoices/issue',
    access: 'login',
    summary: 'Issue invoice drafts, all or none',
    body: z.object({
      ids: z
        .array(id('Please choose an invoice'))
        .check(z.minLength(1, 'Please choose an invoice'), z.maxLength(500)),
    }),
    reply: z.array(InvoiceRow),
    idempotent: true,
  },
  invoice: {
    method: 'GET',
    path: '/api/invoices/:id',
    access: 'login',
    summary: 'One invoice with its lines',
    params: IdParams,
    reply: Invoice,
  },
  availableInvoiceLines: {
    method: 'GET',
    path: '/api/invoices/:id/choices',
    access: 'login',
    summary: 'Charges and future sessions that can be added to an invoice draft',
    params: IdParams,
    reply: z.array(InvoiceLine),
  },
  updateInvoiceDraft: {
    method: 'PUT',
    path: '/api/invoices/:id',
    access: 'login',
    summary: 'Change an invoice draft',
    params: IdParams,
    body: InvoiceDraftUpdate,
    reply: Invoice,
  },
  deleteInvoice: {
    method: 'DELETE',
    path: '/api/invoices/:id',
    access: 'login',
    summary: 'Delete an invoice draft',
    params: IdParams,
    reply: z.object({ message: z.string() }),
  },
  replaceInvoiceLink: {
    method: 'POST',
    path: '/api/invoices/:id/link/replace',
    access: 'login',
    summary: 'Replace the public link of an issued invoice; the old one stops working',
    params: IdParams,
    reply: z.object({ token: z.string() }),
  },
  voidInvoice: {
    method: 'POST',
    path: '/api/invoices/:id/void',
    access: 'login',
    summary: 'Void an issued invoice; it keeps its number',
    params: IdParams,
    body: VoidInvoiceInput,
    reply: Invoice,
    idempotent: true,
  },
  creditInvoice: {
    method: 'POST',
    path: '/api/invoices/:id/credit-note',
    access: 'login',
    summary: 'Correct an issued invoice with a credit note',
    params: IdParams,
    body: CreditNoteInput,
    reply: Invoice,
    status: 201,
    idempotent: true,
  },
  invoicePdf: {
    method: 'GET',
    path: '/api/invoices/:id.pdf',
    access: 'login',
    summary: 'The invoice as a PDF',
    params: IdParams,
    file: 'application/pdf',
    reply: z.string(),
  },
});
