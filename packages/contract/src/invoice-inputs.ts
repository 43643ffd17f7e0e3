import * as z from 'zod/mini';
import { EARLIEST_DATE } from './dates.ts';
import { MAX_AMOUNT } from './payments.ts';
import { date, id, optionalText } from './schema-fields.ts';

/* What a tutor enters for drafts, voiding and credit notes. */

const endsNotBeforeStart = z.refine<{ from: string; to: string }>(
  (period) => period.to >= period.from,
  { error: "The last day can't be before the first day", path: ['to'] },
);

/** EARLIEST_DATE includes everything that has not been invoiced yet. */
const firstDay = z.union([z.literal(EARLIEST_DATE), date()], { error: 'First day is required' });

export const InvoicePeriod = z
  .object({
    from: firstDay,
    to: date('Last day is required'),
    /** Whether to include future sessions in the period. */
    includeUpcoming: z._default(z.boolean(), false),
  })
  .check(endsNotBeforeStart);
export type InvoicePeriod = z.infer<typeof InvoicePeriod>;

export const InvoiceDraftInput = z
  .object({
    familyId: id('Please choose who to invoice'),
    from: firstDay,
    to: date('Last day is required'),
    includeUpcoming: z._default(z.boolean(), false),
  })
  .check(endsNotBeforeStart);
export type InvoiceDraftInput = z.infer<typeof InvoiceDraftInput>;

const lineAmount = z
  .number({ error: 'Please enter an amount' })
  .check(
    z.int('Please enter an amount'),
    z.minimum(1, 'The amount must be greater than 0'),
    z.maximum(MAX_AMOUNT, 'That amount is too large'),
  );

/** Exactly one of: an existing charge, a future session, or an item with a description and an amount. */
export const InvoiceLineInput = z.object({
  chargeId: z.optional(z.nullable(id('Please choose a lesson'))),
  sessionId: z.optional(z.nullable(id('Please choose a lesson'))),
  /** Which student's place in the session; needed if several children of the family are in it. */
  studentId: z.optional(z.nullable(id('Please choose a student'))),
  description: z.optional(
    z.nullable(
      z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Please enter a description'),
          z.maxLength(200, 'Please use at most 200 characters'),
        ),
    ),
  ),
  amount: z.optional(z.nullable(lineAmount)),
});

export const InvoiceDraftUpdate = z.object({
  lines: z.array(InvoiceLineInput).check(z.maxLength(500, 'Please use at most 500 items')),
  /** Null means the default number of days after issue; undefined keeps the current date. */
  dueOn: z.optional(z.nullable(date())),
  note: optionalText(1000),
});
export type InvoiceDraftUpdate = z.infer<typeof InvoiceDraftUpdate>;

export const CreditNoteInput = z.object({
  lines: z
    .array(z.object({ chargeId: id('Please choose an item'), amount: lineAmount }))
    .check(z.minLength(1, 'Please choose what to credit'), z.maxLength(500)),
  reason: optionalText(500),
});
export type CreditNoteInput = z.infer<typeof CreditNoteInput>;

export const VoidInvoiceInput = z.object({ reason: optionalText(500) });
