import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { MAX_INTEGER, optionalLine, optionalText } from './schema-fields.ts';

/* Business details printed on invoices, and bank details for payments by transfer. */

export const BankDetails = z.object({
  accountName: z.nullable(z.string()),
  sortCode: z.nullable(z.string()),
  accountNumber: z.nullable(z.string()),
  iban: z.nullable(z.string()),
  bic: z.nullable(z.string()),
});
export type BankDetails = z.infer<typeof BankDetails>;

export const BusinessSettings = z.object({
  /** If empty, invoices show the tutor's name. */
  tradingName: optionalLine(100),
  address: optionalText(500),
  email: optionalLine(254),
  phone: optionalLine(40),
  /** For example a tax or company number; printed as entered. */
  extra: optionalText(200),
  accountName: optionalLine(100),
  sortCode: optionalLine(20),
  accountNumber: optionalLine(34),
  iban: optionalLine(42),
  bic: optionalLine(15),
  /** Other ways to pay, shown to families; for example 'In cash at the lesson'. */
  paymentInstructions: optionalLine(200),
  dueDays: z
    .number({ error: 'Please enter a number of days' })
    .check(z.int(), z.minimum(0, 'Please enter 0 or more'), z.maximum(365, 'At most 365 days')),
  invoiceNote: optionalText(1000),
  invoicePrefix: z
    .string()
    .check(
      z.trim(),
      z.maxLength(10, 'Please use at most 10 characters'),
      z.regex(/^[A-Za-z0-9/._-]*$/, 'Letters, digits and / . _ - only'),
    ),
  nextInvoiceNumber: z
    .number({ error: 'Please enter a number' })
    .check(z.int(), z.minimum(1, 'Please enter 1 or more'), z.maximum(MAX_INTEGER)),
});
export type BusinessSettings = z.infer<typeof BusinessSettings>;

/** The settings as saved, and when the bank details were changed, if that was within the last day. */
const SavedBusinessSettings = z.extend(BusinessSettings, {
  bankDetailsChangedAt: z.nullable(z.string()),
});
export type SavedBusinessSettings = z.infer<typeof SavedBusinessSettings>;

export const businessSettings = defineEndpoints({
  businessSettings: {
    method: 'GET',
    path: '/api/settings/business',
    access: 'login',
    summary: 'Invoice details and bank details',
    reply: SavedBusinessSettings,
  },
  saveBusinessSettings: {
    method: 'PUT',
    path: '/api/settings/business',
    access: 'login',
    // Required for the whole form, because the extra line and the note could also name a different bank account.
    requires: 'recent-auth',
    summary: 'Change invoice details and bank details',
    body: BusinessSettings,
    reply: SavedBusinessSettings,
  },
});
