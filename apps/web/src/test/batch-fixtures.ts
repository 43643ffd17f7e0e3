import type {
  Batch,
  BatchItem,
  InvoiceBatchRow,
} from '@lessonbook/contract/invoice-and-reminder-batches';

/** By default for Ruth Hale with Maya and Leo. Today is 15 November 2026. */

export const batchItem = (overrides: Partial<BatchItem> = {}): BatchItem => ({
  id: 1,
  familyId: 3,
  familyName: 'Ruth Hale',
  students: ['Leo', 'Maya'],
  invoiceId: 21,
  number: '0021',
  amount: { currency: 'GBP', minor: 7000 },
  address: 'ruth@hale.example',
  messageId: 8,
  state: 'sent',
  at: '2026-11-15T05:58:00Z',
  problem: null,
  ...overrides,
});

export const batch = (overrides: Partial<Batch> = {}): Batch => ({
  id: 5,
  kind: 'send_invoices',
  createdAt: '2026-11-15T05:57:00Z',
  isRunning: true,
  isStopped: false,
  total: 1,
  done: 0,
  notDone: 0,
  items: [batchItem()],
  ...overrides,
});

export const invoiceBatchRow = (overrides: Partial<InvoiceBatchRow> = {}): InvoiceBatchRow => ({
  id: 21,
  familyId: 3,
  familyName: 'Ruth Hale',
  students: ['Leo', 'Maya'],
  number: null,
  total: 7000,
  due: 7000,
  currency: 'GBP',
  lineCount: 2,
  lessonCount: 2,
  firstDate: '2026-11-03',
  lastDate: '2026-11-10',
  upcoming: 0,
  address: 'ruth@hale.example',
  problem: null,
  ...overrides,
});
