import type { BankDetails } from '@lessonbook/contract/business-settings';
import { InvoiceParties } from '@lessonbook/contract/invoices';

export interface Business {
  tradingName: string | null;
  address: string | null;
  email: string | null;
  phone: string | null;
  extra: string | null;
  accountName: string | null;
  sortCode: string | null;
  accountNumber: string | null;
  iban: string | null;
  bic: string | null;
}

export interface PayerDetails {
  name: string;
  address: string | null;
  reference: string;
}

/** Null if the tutor has not entered a bank account. */
export function toBankDetails(business: Business | undefined): BankDetails | null {
  if (!business || !(business.accountNumber || business.iban)) return null;
  const { accountName, sortCode, accountNumber, iban, bic } = business;
  return { accountName, sortCode, accountNumber, iban, bic };
}

export const billingName = (tutorName: string, business: Business | undefined): string =>
  business?.tradingName || tutorName;

/** The current details of the tutor and the payer, which are stored when the document is issued. */
export const toPartySnapshot = (
  tutorName: string,
  business: Business | undefined,
  payer: PayerDetails,
): InvoiceParties => ({
  from: {
    name: billingName(tutorName, business),
    address: business?.address ?? null,
    email: business?.email ?? null,
    phone: business?.phone ?? null,
    extra: business?.extra ?? null,
  },
  to: { name: payer.name, address: payer.address },
  bank: toBankDetails(business),
  reference: payer.reference,
});

export const parsePartySnapshot = (stored: unknown): InvoiceParties => InvoiceParties.parse(stored);
