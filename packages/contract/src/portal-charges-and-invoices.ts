import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { InstalmentPlan } from './instalments.ts';
import { publicId } from './portal.ts';
import { currency, date, idParam, minorUnits, paginationFields } from './schema-fields.ts';

/* The accounts that a person sees in the family portal: what is due and paid, invoices and statements. */

/** The unpaid part of one lesson or item. */
export const PortalCharge = z.object({
  id: z.number(),
  /** The first name; null if the charge is not for one student, or is for the student who pays. */
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  currency,
  outstanding: minorUnits,
  /** The due date of its invoice. */
  dueOn: z.nullable(z.string()),
});
export type PortalCharge = z.infer<typeof PortalCharge>;

/** A question about a charge. */
export const PortalChargeQuery = z.object({
  id: z.number(),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  status: z.enum(['open', 'answered']),
  /** Null while it waits for an answer. */
  isOwed: z.nullable(z.boolean()),
  /** Whether this person asked. Only they see the message and the answer. */
  isOwn: z.boolean(),
  message: z.nullable(z.string()),
  answer: z.nullable(z.string()),
});
export type PortalChargeQuery = z.infer<typeof PortalChargeQuery>;

export const PortalInvoice = z.object({
  id: z.number(),
  kind: z.enum(['invoice', 'credit_note']),
  number: z.string(),
  issuedOn: z.string(),
  dueOn: z.nullable(z.string()),
  state: z.enum(['sent', 'part_paid', 'paid', 'overdue', 'on_hold', 'written_off']),
  currency,
  total: minorUnits,
  /** The amount still to pay. */
  due: minorUnits,
  /** The date of the last payment. */
  paidOn: z.nullable(z.string()),
});
export type PortalInvoice = z.infer<typeof PortalInvoice>;

export const PortalAccount = z.object({
  id: z.number(),
  /** The first name of the person who pays; null if it is the person who is signed in. */
  payerName: z.nullable(z.string()),
  balances: z.array(z.object({ currency, owed: minorUnits, credit: minorUnits })),
  charges: z.array(PortalCharge),
  /** The amounts that the payer is not asked for, because they are refunded, disputed, queried or part of future instalments. */
  onHold: z.array(
    z.object({
      currency,
      amount: minorUnits,
      reason: z.enum(['query', 'refund', 'dispute', 'instalments']),
    }),
  ),
  /** Instalments agreed for an overdue amount, with at most one plan for each currency. */
  plans: z.array(InstalmentPlan),
  /** Questions about charges that are waiting for an answer or were answered recently, latest first. */
  queries: z.array(PortalChargeQuery),
  /** The page on which the account can be paid; null for a person who does not pay. */
  payUrl: z.nullable(z.string()),
  acceptsCards: z.boolean(),
  /** The date on which the payer reported a transfer. */
  transferReportedOn: z.nullable(z.string()),
  /** Payments less refunds since 1 January. */
  paidThisYear: z.array(z.object({ currency, amount: minorUnits })),
  /** Latest first. */
  invoices: z.array(PortalInvoice),
  hasMoreInvoices: z.boolean(),
});
export type PortalAccount = z.infer<typeof PortalAccount>;

export const PortalMoney = z.object({
  tutorName: z.string(),
  /** In the tutor's time zone. */
  today: z.string(),
  accounts: z.array(PortalAccount),
});
export type PortalMoney = z.infer<typeof PortalMoney>;

export const StatementPeriod = z
  .object({ from: date('Please enter a start date'), to: date('Please enter an end date') })
  .check(z.refine(({ from, to }) => from <= to, 'The end date is before the start date'));

const AccountParams = z.object({ publicId, accountId: idParam });

export const portalMoney = defineEndpoints({
  portalMoney: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/money',
    access: 'contact',
    summary: 'What is due and paid on the accounts this person may see',
    params: z.object({ publicId }),
    reply: PortalMoney,
  },
  portalInvoices: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/accounts/:accountId/invoices',
    access: 'contact',
    summary: 'Earlier invoices of an account',
    params: AccountParams,
    query: z.object(paginationFields),
    reply: z.object({ invoices: z.array(PortalInvoice), hasMore: z.boolean() }),
  },
  portalInvoicePdf: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/accounts/:accountId/invoices/:invoiceId/pdf',
    access: 'contact',
    summary: 'An invoice as a PDF',
    params: z.object({ publicId, accountId: idParam, invoiceId: idParam }),
    file: 'application/pdf',
    reply: z.string(),
  },
  portalStatement: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/accounts/:accountId/statement',
    access: 'contact',
    summary: 'All charges and payments of a period as a PDF',
    params: AccountParams,
    query: StatementPeriod,
    file: 'application/pdf',
    reply: z.string(),
  },
});
