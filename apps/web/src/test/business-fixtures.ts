/** A tutor who has entered nothing yet. */
export const business = {
  tradingName: null,
  address: null,
  email: null,
  phone: null,
  extra: null,
  accountName: null,
  sortCode: null,
  accountNumber: null,
  iban: null,
  bic: null,
  dueDays: 7,
  invoicePrefix: '',
  nextInvoiceNumber: 1,
  invoiceNote: null,
};
