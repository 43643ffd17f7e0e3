import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency, IdParams, id, minorUnits } from './schema-fields.ts';

/* Actions on many invoices or families at once. A job processes the items one by one, even after the page is closed. */

export const MAX_BATCH_ITEMS = 500;

/** 'send_invoices' issues drafts and emails all of the invoices; 'issue_invoices' only issues them. */
export const BATCH_KINDS = ['send_invoices', 'issue_invoices', 'send_reminders'] as const;
export type BatchKind = (typeof BATCH_KINDS)[number];

const ids = z
  .array(id('Please choose an invoice or a family'))
  .check(
    z.minLength(1, 'Please choose at least one'),
    z.maxLength(MAX_BATCH_ITEMS, `Please choose at most ${MAX_BATCH_ITEMS}`),
  );

/**
 * 'to_send' means that the message waits for the tutor to open it in WhatsApp. 'skipped' means that no message is needed, for
 * example because the family has just been reminded.
 */
export const BATCH_ITEM_STATES = [
  'waiting',
  'sending',
  'sent',
  'issued',
  'to_send',
  'skipped',
  'not_done',
] as const;
export type BatchItemState = (typeof BATCH_ITEM_STATES)[number];

export const BatchItem = z.object({
  /** Unique within the batch. */
  id: z.number(),
  familyId: z.number(),
  familyName: z.string(),
  students: z.array(z.string()),
  /** Null for a reminder. */
  invoiceId: z.nullable(z.number()),
  number: z.nullable(z.string()),
  /** The invoice's total, or null for a reminder. */
  amount: z.nullable(z.object({ currency, minor: minorUnits })),
  /** Where the message went or will go; null if the family has no address. */
  address: z.nullable(z.string()),
  messageId: z.nullable(z.number()),
  state: z.enum(BATCH_ITEM_STATES),
  /** When the item was sent or issued. */
  at: z.nullable(z.string()),
  /** Why a 'not_done' item failed. */
  problem: z.nullable(z.string()),
});
export type BatchItem = z.infer<typeof BatchItem>;

export const BatchSummary = z.object({
  id: z.number(),
  kind: z.enum(BATCH_KINDS),
  createdAt: z.string(),
  /** Whether an item is waiting or being sent. */
  isRunning: z.boolean(),
  isStopped: z.boolean(),
  total: z.number(),
  /** Items that were sent, issued, skipped or saved for WhatsApp. */
  done: z.number(),
  notDone: z.number(),
});
export type BatchSummary = z.infer<typeof BatchSummary>;

export const Batch = z.extend(BatchSummary, { items: z.array(BatchItem) });
export type Batch = z.infer<typeof Batch>;

/** An invoice as it would be issued and emailed. */
export const InvoiceBatchRow = z.object({
  /** The id of the invoice. */
  id: z.number(),
  familyId: z.number(),
  familyName: z.string(),
  students: z.array(z.string()),
  /** Null for a draft. */
  number: z.nullable(z.string()),
  total: minorUnits,
  /** The amount left to pay; less than the total if part of it has been paid. */
  due: minorUnits,
  currency,
  lineCount: z.number(),
  lessonCount: z.number(),
  firstDate: z.nullable(z.string()),
  lastDate: z.nullable(z.string()),
  /** The fees of lessons still to come, which are charged when the draft is issued. */
  upcoming: minorUnits,
  /** The email address, or null. */
  address: z.nullable(z.string()),
  /** Why the invoice cannot be emailed, or null. */
  problem: z.nullable(z.string()),
});
export type InvoiceBatchRow = z.infer<typeof InvoiceBatchRow>;

export const batches = defineEndpoints({
  startBatch: {
    method: 'POST',
    path: '/api/batches',
    access: 'login',
    summary:
      'Start a batch that issues invoices, issues and emails them, or sends payment reminders in the background',
    body: z.object({
      kind: z.enum(BATCH_KINDS),
      /** The ids of invoices, or of families for reminders. Invoices are numbered in this order. */
      ids,
    }),
    reply: Batch,
    status: 201,
    idempotent: true,
  },
  listBatches: {
    method: 'GET',
    path: '/api/batches',
    access: 'login',
    summary:
      'The batches of the last day that are still running or have items that were not done, newest first',
    reply: z.array(BatchSummary),
  },
  previewInvoiceBatch: {
    method: 'POST',
    path: '/api/batches/preview',
    access: 'login',
    summary: 'Preview issuing and emailing invoices: the addresses, amounts and invoice numbers',
    body: z.object({ ids }),
    reply: z.object({
      rows: z.array(InvoiceBatchRow),
      /** The numbers for the drafts, in order. */
      numbers: z.array(z.string()),
      /** When invoices that are issued today are due. */
      dueOn: z.string(),
      /** Why none of the invoices can be emailed, or null. */
      problem: z.nullable(z.string()),
    }),
  },
  batch: {
    method: 'GET',
    path: '/api/batches/:id',
    access: 'login',
    summary: 'A batch with the state of each item',
    params: IdParams,
    reply: Batch,
  },
  stopBatch: {
    method: 'POST',
    path: '/api/batches/:id/stop',
    access: 'login',
    summary: 'Stop a batch after the current item',
    params: IdParams,
    reply: Batch,
  },
  retryBatch: {
    method: 'POST',
    path: '/api/batches/:id/retry',
    access: 'login',
    summary: 'Retry the items of a batch that were not done',
    params: IdParams,
    reply: Batch,
  },
});
