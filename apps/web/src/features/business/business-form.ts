import { BusinessSettings } from '@lessonbook/contract/business';
import * as z from 'zod/mini';

/** What the fields hold: text, in the order of the screen. */
export const formOf = (business: BusinessSettings) => ({
  tradingName: business.tradingName ?? '',
  address: business.address ?? '',
  email: business.email ?? '',
  phone: business.phone ?? '',
  extra: business.extra ?? '',
  accountName: business.accountName ?? '',
  sortCode: business.sortCode ?? '',
  accountNumber: business.accountNumber ?? '',
  iban: business.iban ?? '',
  bic: business.bic ?? '',
  dueDays: String(business.dueDays),
  invoicePrefix: business.invoicePrefix,
  nextInvoiceNumber: String(business.nextInvoiceNumber),
  invoiceNote: business.invoiceNote ?? '',
});

export type BusinessForm = ReturnType<typeof formOf>;

export const toInput = (form: BusinessForm): BusinessSettings => ({
  ...form,
  dueDays: number(form.dueDays),
  nextInvoiceNumber: number(form.nextInvoiceNumber),
});

/** Nothing is no number, and not nought. */
const number = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Checks the text by the contract's own rules. */
export const BusinessCheck = z.pipe(
  z.transform<BusinessForm, BusinessSettings>(toInput),
  BusinessSettings,
);
