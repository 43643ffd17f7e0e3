import type { InvoiceSummary } from '@lessonbook/contract/invoice-list-filters-and-totals';
import type {
  Invoice,
  InvoiceLine,
  InvoiceListRow,
  InvoiceRow,
} from '@lessonbook/contract/invoices';
import type { PublicBill } from '@lessonbook/contract/public-bill';
import type { ChargeQuery } from '@lessonbook/contract/questions-about-charges';

/** By default for Ruth Hale with Maya and Leo. Today is 15 November 2026. */

export const invoiceRow = (overrides: Partial<InvoiceRow> = {}): InvoiceRow => ({
  id: 12,
  kind: 'invoice',
  number: '0012',
  state: 'sent',
  familyId: 3,
  familyName: 'Ruth Hale',
  students: ['Leo', 'Maya'],
  currency: 'GBP',
  total: 7000,
  due: 7000,
  onHold: 0,
  holdReason: null,
  issuedOn: '2026-11-10',
  dueOn: '2026-11-17',
  lineCount: 2,
  token: 'i_token',
  ...overrides,
});

export const invoiceListRow = (overrides: Partial<InvoiceListRow> = {}): InvoiceListRow => ({
  ...invoiceRow(),
  message: null,
  reminderCount: 0,
  payment: null,
  voidedOn: null,
  ...overrides,
});

export const invoiceSummary = (overrides: Partial<InvoiceSummary> = {}): InvoiceSummary => ({
  counts: { all: 3, draft: 1, sent: 0, overdue: 1, paid: 1 },
  totals: [{ currency: 'GBP', total: 21_000, due: 3550, overdue: 3550 }],
  uninvoiced: { lessons: 0, families: 0, totals: [] },
  ...overrides,
});

export const invoiceLine = (overrides: Partial<InvoiceLine> = {}): InvoiceLine => ({
  position: 1,
  chargeId: 1,
  sessionId: 11,
  studentId: 3,
  studentName: 'Maya',
  description: 'Maths lesson',
  date: '2026-10-06',
  amount: 3500,
  isFutureSession: false,
  outstanding: 3500,
  credited: 0,
  ...overrides,
});

export const invoice = (overrides: Partial<Invoice> = {}): Invoice => ({
  ...invoiceRow(),
  lines: [
    invoiceLine(),
    invoiceLine({ position: 2, chargeId: 2, sessionId: 12, studentId: 4, studentName: 'Leo' }),
  ],
  parties: {
    from: { name: 'Ada Fenwick', address: null, email: null, phone: null, extra: null },
    to: { name: 'Ruth Hale', address: null },
    bank: null,
    reference: 'HALE-3',
  },
  note: null,
  paid: 0,
  credited: 0,
  writtenOff: 0,
  periodFrom: '2026-10-01',
  periodTo: '2026-10-31',
  voidedOn: null,
  voidReason: null,
  corrects: null,
  creditNotes: [],
  bankDetailsChangedAt: null,
  payments: [],
  token: 'i_token',
  ...overrides,
});

export const draftInvoice = (overrides: Partial<Invoice> = {}): Invoice =>
  invoice({ number: null, state: 'draft', issuedOn: null, token: null, ...overrides });

export const publicBill = (overrides: Partial<PublicBill> = {}): PublicBill => ({
  kind: 'balance',
  tutorName: 'Ada Fenwick',
  state: 'due',
  amounts: [{ currency: 'GBP', due: 10500 }],
  lines: [
    {
      studentName: 'Maya',
      description: 'Maths lesson',
      date: '2026-11-03',
      currency: 'GBP',
      amount: 3500,
      outstanding: 3500,
      invoice: null,
    },
    {
      studentName: 'Leo',
      description: 'Piano lesson',
      date: '2026-11-05',
      currency: 'GBP',
      amount: 7500,
      outstanding: 7000,
      invoice: null,
    },
  ],
  credits: [],
  payments: [],
  onHold: [],
  plans: [],
  failedPayment: null,
  contact: { email: null, phone: null },
  paymentInstructions: null,
  invoice: null,
  bank: {
    accountName: 'A Fenwick',
    sortCode: '20-00-00',
    accountNumber: '55779911',
    iban: null,
    bic: null,
  },
  card: null,
  reference: 'HALE-3',
  claimedOn: null,
  ...overrides,
});

/** Ruth queries one of Maya's lessons that is not on an invoice. */
export const chargeQuery: ChargeQuery = {
  id: 1,
  contactName: 'Ruth Hale',
  studentName: 'Maya Hale',
  description: 'Maths lesson',
  date: '2026-11-03',
  currency: 'GBP',
  outstanding: 3800,
  invoiceNumber: null,
  message: 'Maya was ill.',
  askedAt: '2026-11-16T12:00:00Z',
};
