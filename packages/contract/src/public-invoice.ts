import * as z from 'zod/mini';
import { BankDetails } from './business-settings.ts';
import { defineEndpoints } from './endpoint.ts';
import { currency } from './schema-fields.ts';

/* The public page of a balance or of an invoice. */

/** What whoever holds the link sees: first names only, and nothing that is not needed to pay. */
export const PublicBill = z.object({
  kind: z.enum(['balance', 'invoice']),
  tutorName: z.string(),
  state: z.enum(['due', 'paid', 'void']),
  amounts: z.array(z.object({ currency, due: z.number() })),
  lines: z.array(
    z.object({
      studentName: z.nullable(z.string()),
      description: z.string(),
      date: z.string(),
      currency,
      amount: z.number(),
      outstanding: z.number(),
    }),
  ),
  invoice: z.nullable(
    z.object({
      number: z.string(),
      issuedOn: z.string(),
      dueOn: z.nullable(z.string()),
      total: z.number(),
      paid: z.number(),
      credited: z.number(),
      note: z.nullable(z.string()),
    }),
  ),
  bank: z.nullable(BankDetails),
  /** Set where a card can be taken. `pending`: a payment was begun whose money is still on its way. */
  card: z.nullable(z.object({ pending: z.boolean() })),
  reference: z.string(),
  /** The day on which the payer said that it was transferred. */
  claimedOn: z.nullable(z.string()),
});
export type PublicBill = z.infer<typeof PublicBill>;

const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });
export const publicInvoices = defineEndpoints({
  publicBill: {
    method: 'GET',
    path: '/api/pay/:token',
    access: 'public',
    summary: 'What a payment link is for',
    params: TokenParams,
    reply: PublicBill,
  },
  publicInvoicePdf: {
    method: 'GET',
    path: '/api/pay/:token/pdf',
    access: 'public',
    summary: 'The invoice behind the link, on paper',
    params: TokenParams,
    file: 'application/pdf',
    reply: z.string(),
  },
  claimTransfer: {
    method: 'POST',
    path: '/api/pay/:token/transferred',
    access: 'public',
    summary: 'The payer says that the money is on its way; nothing is marked as paid',
    params: TokenParams,
    reply: PublicBill,
  },
});
