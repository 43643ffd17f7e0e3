import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import {
  INSTALMENT_FREQUENCIES,
  InstalmentPlan,
  MAX_INSTALMENTS,
  MIN_INSTALMENTS,
} from './instalments.ts';
import { MAX_AMOUNT } from './payments.ts';
import { StatementPeriod } from './portal-charges-and-invoices.ts';
import { currency, date, IdParams, id, minorUnits, optionalText } from './schema-fields.ts';

/* What a tutor can do about an account that is in arrears. */

const chargeFields = {
  id: z.number(),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  currency,
  invoiceNumber: z.nullable(z.string()),
};

export const UnpaidCharge = z.object({
  ...chargeFields,
  outstanding: minorUnits,
  /** A charge on hold is not overdue. */
  isOverdue: z.boolean(),
  /** Whether all or part of the charge is on hold, which means that the payer is not asked for that part at the moment. */
  isOnHold: z.boolean(),
});
export type UnpaidCharge = z.infer<typeof UnpaidCharge>;

export const WrittenOffCharge = z.object({
  ...chargeFields,
  writtenOff: minorUnits,
  /** The date and reason of the latest write-off. */
  writtenOffOn: z.string(),
  reason: z.nullable(z.string()),
});
export type WrittenOffCharge = z.infer<typeof WrittenOffCharge>;

export const Arrears = z.object({
  overdueSince: z.nullable(z.string()),
  /** The number of days since `overdueSince` on which the payer was sent a payment reminder. */
  reminderCount: z.number(),
  /** True after three reminders or 60 days. */
  isInArrears: z.boolean(),
  /** The outstanding charges, oldest first. */
  charges: z.array(UnpaidCharge),
  /** Latest first. */
  writtenOff: z.array(WrittenOffCharge),
  /** At most one for each currency. */
  plans: z.array(InstalmentPlan),
});
export type Arrears = z.infer<typeof Arrears>;

const chargeIds = z
  .array(id('Please choose a charge'), { error: 'Please choose what to write off' })
  .check(z.minLength(1, 'Please choose what to write off'), z.maxLength(2000));

/** The amount that the tutor was shown; the request is refused if the amount has changed since. */
const shownAmount = z.number().check(z.int(), z.positive(), z.maximum(MAX_AMOUNT));

export const WriteOffInput = z.object({
  chargeIds,
  currency,
  amount: shownAmount,
  reason: optionalText(200),
});
export type WriteOffInput = z.infer<typeof WriteOffInput>;

export const InstalmentPlanInput = z.object({
  currency,
  /** The whole overdue amount. */
  amount: shownAmount,
  count: z
    .number({ error: 'Please enter a number' })
    .check(
      z.int('Please enter a number'),
      z.minimum(MIN_INSTALMENTS, `Please enter at least ${MIN_INSTALMENTS}`),
      z.maximum(MAX_INSTALMENTS, `Please enter at most ${MAX_INSTALMENTS}`),
    ),
  frequency: z.enum(INSTALMENT_FREQUENCIES),
  firstOn: date('Please choose a date'),
});
export type InstalmentPlanInput = z.infer<typeof InstalmentPlanInput>;

export const arrears = defineEndpoints({
  arrears: {
    method: 'GET',
    path: '/api/families/:id/arrears',
    access: 'login',
    summary: 'The charges of an account that are unpaid, and those that were written off',
    params: IdParams,
    reply: Arrears,
  },
  writeOff: {
    method: 'POST',
    path: '/api/families/:id/write-offs',
    access: 'login',
    summary: 'Write off the unpaid part of the given charges',
    params: IdParams,
    body: WriteOffInput,
    reply: z.object({}),
    idempotent: true,
  },
  reverseWriteOff: {
    method: 'POST',
    path: '/api/families/:id/write-offs/reverse',
    access: 'login',
    summary: 'Reverse the write-off of the given charges, which are then owed again',
    params: IdParams,
    body: z.object({ chargeIds }),
    reply: z.object({}),
    idempotent: true,
  },
  agreeInstalments: {
    method: 'POST',
    path: '/api/families/:id/instalments',
    access: 'login',
    summary: 'Agree instalments for the amount overdue',
    params: IdParams,
    body: InstalmentPlanInput,
    reply: z.object({}),
    idempotent: true,
  },
  endInstalments: {
    method: 'POST',
    path: '/api/families/:id/instalments/end',
    access: 'login',
    summary: 'End the instalments; the unpaid charges are due as before',
    params: IdParams,
    body: z.object({ currency }),
    reply: z.object({}),
  },
  accountStatement: {
    method: 'GET',
    path: '/api/families/:id/statement.pdf',
    access: 'login',
    summary: 'All charges and payments of a period as a PDF',
    params: IdParams,
    query: StatementPeriod,
    file: 'application/pdf',
    reply: z.string(),
  },
});
