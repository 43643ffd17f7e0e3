import * as z from 'zod/mini';
import { BankDetails } from './business-settings.ts';
import { defineEndpoints } from './endpoint.ts';
import { InstalmentPlan } from './instalments.ts';
import { currency, minorUnits } from './schema-fields.ts';

/* The public page for a balance or an invoice. */

/** Visible to anyone with the link, so it contains only first names and what is needed to pay. */
export const PublicBill = z.object({
  kind: z.enum(['balance', 'invoice']),
  tutorName: z.string(),
  /** 'on_hold': the unpaid amount is refunded, disputed, queried or in instalments, so the payer is not asked for it yet. */
  state: z.enum(['due', 'paid', 'on_hold']),
  amounts: z.array(z.object({ currency, due: minorUnits })),
  lines: z.array(
    z.object({
      studentName: z.nullable(z.string()),
      description: z.string(),
      date: z.string(),
      currency,
      amount: minorUnits,
      outstanding: minorUnits,
      /** The invoice that lists the charge, on the page of a balance. */
      invoice: z.nullable(z.object({ number: z.string(), dueOn: z.nullable(z.string()) })),
    }),
  ),
  /** The credit of the account. */
  credits: z.array(z.object({ currency, amount: minorUnits })),
  /** The payments for the lines of an invoice; for a balance with nothing due, the latest payment, whose lines are shown. */
  payments: z.array(
    z.object({
      amount: minorUnits,
      currency,
      date: z.string(),
      /** One of PAYMENT_METHODS, whose module is not loaded on the public page. */
      method: z.string(),
    }),
  ),
  onHold: z.array(
    z.object({
      currency,
      amount: minorUnits,
      reason: z.enum(['query', 'refund', 'dispute', 'instalments']),
    }),
  ),
  /** Instalments agreed for an overdue amount; only on the page of an account. */
  plans: z.array(InstalmentPlan),
  /** The last bank debit, if it failed and there has been no payment since. */
  failedPayment: z.nullable(z.object({ amount: minorUnits, currency, date: z.string() })),
  invoice: z.nullable(
    z.object({
      number: z.string(),
      issuedOn: z.string(),
      dueOn: z.nullable(z.string()),
      total: minorUnits,
      paid: minorUnits,
      /** Includes what was written off. */
      credited: minorUnits,
      writtenOff: minorUnits,
      creditNotes: z.array(
        z.object({ number: z.string(), total: minorUnits, reason: z.nullable(z.string()) }),
      ),
      note: z.nullable(z.string()),
    }),
  ),
  /** How to reach the tutor. */
  contact: z.object({ email: z.nullable(z.string()), phone: z.nullable(z.string()) }),
  bank: z.nullable(BankDetails),
  /** Other ways to pay, in the tutor's words. */
  paymentInstructions: z.nullable(z.string()),
  /** Null if cards are not accepted. `pending` means that a payment has been started but has not settled yet. */
  card: z.nullable(z.object({ pending: z.boolean() })),
  reference: z.string(),
  /** The date on which the payer reported the transfer. */
  claimedOn: z.nullable(z.string()),
});
export type PublicBill = z.infer<typeof PublicBill>;

/** A void invoice reveals nothing but its number. */
export const VoidBill = z.object({
  kind: z.literal('invoice'),
  state: z.literal('void'),
  number: z.string(),
});
export type VoidBill = z.infer<typeof VoidBill>;

const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

export const publicBills = defineEndpoints({
  publicBill: {
    method: 'GET',
    path: '/api/pay/:token',
    access: 'public',
    summary: 'The balance or invoice for a payment link',
    params: TokenParams,
    reply: z.union([PublicBill, VoidBill]),
  },
  publicInvoicePdf: {
    method: 'GET',
    path: '/api/pay/:token/pdf',
    access: 'public',
    summary: 'The invoice for a payment link, as a PDF',
    params: TokenParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  claimTransfer: {
    method: 'POST',
    path: '/api/pay/:token/transferred',
    access: 'public',
    summary: 'Report to the tutor that a bank transfer was made; nothing is marked as paid',
    params: TokenParams,
    reply: PublicBill,
  },
  withdrawTransferClaim: {
    method: 'DELETE',
    path: '/api/pay/:token/transferred',
    access: 'public',
    summary: 'Withdraw the report of a bank transfer',
    params: TokenParams,
    reply: PublicBill,
  },
});
