import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { hasCustomDates, periodFields } from './report-period-query.ts';
import {
  currency,
  date,
  IdParams,
  id,
  idParam,
  minorUnits,
  optionalText,
  paginationFields,
} from './schema-fields.ts';

/* The ledger is append-only: mistakes are corrected by reversals. */

export const MANUAL_METHODS = ['cash', 'bank_transfer', 'other'] as const;
export type ManualMethod = (typeof MANUAL_METHODS)[number];
/**
 * A card payment is recorded only once the provider confirms it; 'opening' is credit from before the tutor started
 * using Lessonbook.
 */
export const PAYMENT_METHODS = [...MANUAL_METHODS, 'card', 'opening'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_STATUSES = ['completed', 'reversed'] as const;

/** Ten million in major units, so that sums still fit into a database integer. */
export const MAX_AMOUNT = 1_000_000_000;

const amount = z
  .number({ error: 'Please enter an amount' })
  .check(
    z.int('Please enter an amount'),
    z.minimum(1, 'The amount must be greater than 0'),
    z.maximum(MAX_AMOUNT, 'That amount is too large'),
  );

/** The amount owed and the credit, in minor units; at least one of them is zero. */
export const Balance = z.object({ currency, owed: minorUnits, credit: minorUnits });
export type Balance = z.infer<typeof Balance>;

/** A transfer reported by the payer. The amount is what the payer owes; null if they owe several currencies. */
export const TransferClaim = z.object({
  amount: z.nullable(minorUnits),
  currency: z.nullable(currency),
  claimedOn: z.string(),
});

export const Payment = z.object({
  id: z.number(),
  /** Set when the payment is for a single student. */
  studentId: z.nullable(z.number()),
  /** In minor units; negative for a refund. */
  amount: minorUnits,
  currency,
  status: z.enum(PAYMENT_STATUSES),
  paymentDate: z.string(),
  /** 'dispute' is money that the payer's bank has withdrawn. */
  kind: z.enum(['payment', 'refund', 'dispute']),
  method: z.enum(PAYMENT_METHODS),
  note: z.nullable(z.string()),
  familyId: z.number(),
  familyName: z.string(),
  /** The names of the children the payment was for. */
  students: z.array(z.string()),
  refunded: minorUnits,
});
export type Payment = z.infer<typeof Payment>;

export const ListedPayment = z.extend(Payment, {
  /** The part that paid for the requested student or subject; null if none was requested. */
  share: z.nullable(minorUnits),
});
export type ListedPayment = z.infer<typeof ListedPayment>;

/**
 * A card payment that was refunded at the provider or disputed. The payer is not asked for the reopened amount while the bank
 * decides ('disputed') and until the tutor has said whether it is still owed ('undecided').
 */
export const ReturnedPayment = z.object({
  paymentId: z.number(),
  kind: z.enum(['refund', 'dispute']),
  state: z.enum(['disputed', 'undecided']),
  /** The part of the returned money that is unpaid. */
  amount: minorUnits,
  currency,
  date: z.string(),
});
export type ReturnedPayment = z.infer<typeof ReturnedPayment>;

/** A payment with its allocations, as shown on a receipt. */
export const PaymentDetails = z.extend(Payment, {
  allocations: z.array(
    z.object({
      chargeId: z.number(),
      sessionId: z.nullable(z.number()),
      studentId: z.nullable(z.number()),
      studentName: z.nullable(z.string()),
      description: z.string(),
      date: z.string(),
      amount: minorUnits,
      /** The part of the charge that is still unpaid. */
      outstanding: minorUnits,
    }),
  ),
  /** The amount not allocated to a charge. */
  credit: minorUnits,
  refunds: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(['refund', 'dispute']),
      amount: minorUnits,
      date: z.string(),
    }),
  ),
  returned: z.array(ReturnedPayment),
  /** The amount of refunds that have been requested from the card provider but have not completed yet. */
  pendingRefundAmount: minorUnits,
  balance: Balance,
});
export type PaymentDetails = z.infer<typeof PaymentDetails>;

export const PaymentInput = z.object({
  familyId: id('Please choose who paid'),
  /** In minor units. */
  amount,
  currency,
  method: z.enum(MANUAL_METHODS, { error: 'Please choose how it was paid' }),
  date: date('Date is required'),
  note: optionalText(500),
  /** The charges to pay first; the rest goes to the charges that were due earliest, then to credit. */
  chargeIds: z._default(z.array(id('Please choose a lesson')).check(z.maxLength(500)), []),
});
export type PaymentInput = z.infer<typeof PaymentInput>;

export const RefundInput = z.object({
  amount,
  date: date('Date is required'),
  note: optionalText(500),
});
export type RefundInput = z.infer<typeof RefundInput>;

/** A charge that has not been fully paid. */
export const OpenCharge = z.object({
  id: z.number(),
  sessionId: z.nullable(z.number()),
  lessonId: z.nullable(z.number()),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  dueDate: z.string(),
  currency,
  amount: minorUnits,
  outstanding: minorUnits,
});
export type OpenCharge = z.infer<typeof OpenCharge>;

/** Defaults and unpaid charges for the payment form. */
export const PaymentFormData = z.object({
  familyId: z.number(),
  familyName: z.string(),
  students: z.array(z.string()),
  today: z.string(),
  lastMethod: z.nullable(z.enum(MANUAL_METHODS)),
  /** The currency of the amount owed; otherwise that of the last payment, or else that of the lessons. */
  currency,
  balances: z.array(Balance),
  charges: z.array(OpenCharge),
  /** The ids of the charges for the requested lesson, session or invoice. */
  preselectedChargeIds: z.array(z.number()),
  claim: z.nullable(TransferClaim),
});
export type PaymentFormData = z.infer<typeof PaymentFormData>;

const optionalId = z.optional(idParam);

export const payments = defineEndpoints({
  listPayments: {
    method: 'GET',
    path: '/api/payments',
    access: 'login',
    summary:
      'Payments and refunds in a period, optionally for a student or subject; newest first, excluding reversed ones',
    query: z
      .object({
        ...periodFields('all_time'),
        studentId: optionalId,
        subjectId: optionalId,
        ...paginationFields,
      })
      .check(hasCustomDates),
    reply: z.array(ListedPayment),
  },
  paymentFormData: {
    method: 'GET',
    path: '/api/payments/form',
    access: 'login',
    summary: 'Data for the payment form, given a lesson, session, student, family or invoice',
    query: z.object({
      lessonId: optionalId,
      sessionId: optionalId,
      studentId: optionalId,
      familyId: optionalId,
      invoiceId: optionalId,
    }),
    reply: PaymentFormData,
  },
  recordPayment: {
    method: 'POST',
    path: '/api/payments',
    access: 'login',
    summary: 'Record a payment',
    body: PaymentInput,
    reply: PaymentDetails,
    status: 201,
    idempotent: true,
  },
  payment: {
    method: 'GET',
    path: '/api/payments/:id',
    access: 'login',
    summary: 'A payment with its allocations',
    params: IdParams,
    reply: PaymentDetails,
  },
  refundPayment: {
    method: 'POST',
    path: '/api/payments/:id/refund',
    access: 'login',
    summary: 'Record a full or partial refund',
    params: IdParams,
    body: RefundInput,
    reply: PaymentDetails,
    status: 201,
    idempotent: true,
  },
  settleReturnedPayment: {
    method: 'POST',
    path: '/api/payments/:id/returned',
    access: 'login',
    summary: 'Record whether the charges of a returned card payment are still owed',
    params: IdParams,
    body: z.object({ stillOwed: z.boolean({ error: 'Please choose an answer' }) }),
    reply: PaymentDetails,
  },
  reversePayment: {
    method: 'POST',
    path: '/api/payments/:id/reverse',
    access: 'login',
    summary: 'Reverse a payment or refund that was recorded by mistake',
    params: IdParams,
    reply: PaymentDetails,
    idempotent: true,
  },
});
