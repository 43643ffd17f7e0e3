import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { PERIODS } from './periods.ts';
import { currency, date, IdParams, id, optionalText } from './schema-fields.ts';

/* The account book. Entries are only ever added: a mistake is corrected by an entry that takes it back. */

export const MANUAL_METHODS = ['cash', 'bank_transfer', 'other'] as const;
export type ManualMethod = (typeof MANUAL_METHODS)[number];
/** A card payment is written down by the provider's word alone; an opening credit was received before the book began. */
export const PAYMENT_METHODS = [...MANUAL_METHODS, 'card', 'opening'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

export const PAYMENT_STATUSES = ['completed', 'reversed'] as const;

/** What the database's integer can add up without overflowing: ten million in major units. */
export const MAX_AMOUNT = 1_000_000_000;

const amount = z
  .number({ error: 'Please enter an amount' })
  .check(
    z.int('Please enter an amount'),
    z.minimum(1, 'The amount must be greater than 0'),
    z.maximum(MAX_AMOUNT, 'That amount is too large'),
  );

/** What a payer owes and has paid ahead, in minor units; one of the two is zero. */
export const Balance = z.object({ currency, owed: z.number(), credit: z.number() });
export type Balance = z.infer<typeof Balance>;

/** The payer says that money is on its way; the amount is what is owed, where that is one sum. */
export const TransferClaim = z.object({
  amount: z.nullable(z.number()),
  currency: z.nullable(currency),
  on: z.string(),
});

export const Payment = z.object({
  id: z.number(),
  /** Set when the payment concerns one student. */
  studentId: z.nullable(z.number()),
  /** Minor units; a refund is negative. */
  amount: z.number(),
  currency,
  status: z.enum(PAYMENT_STATUSES),
  paymentDate: z.string(),
  kind: z.enum(['payment', 'refund']),
  method: z.enum(PAYMENT_METHODS),
  note: z.nullable(z.string()),
  familyId: z.number(),
  familyName: z.string(),
  /** The children it paid for. */
  students: z.array(z.string()),
  /** How much of it was given back. */
  refunded: z.number(),
});
export type Payment = z.infer<typeof Payment>;

/** What a payment covered and what remains: also what a receipt says. */
export const PaymentDetails = z.extend(Payment, {
  covers: z.array(
    z.object({
      chargeId: z.number(),
      sessionId: z.nullable(z.number()),
      studentName: z.nullable(z.string()),
      description: z.string(),
      date: z.string(),
      amount: z.number(),
      /** What is still open of that charge. */
      outstanding: z.number(),
    }),
  ),
  /** What no charge has used yet. */
  credit: z.number(),
  refunds: z.array(z.object({ id: z.number(), amount: z.number(), date: z.string() })),
  /** Asked for, and not given back by the card's provider yet. */
  refundsWaiting: z.number(),
  balance: Balance,
});
export type PaymentDetails = z.infer<typeof PaymentDetails>;

export const PaymentInput = z.object({
  familyId: id('Please choose who paid'),
  /** Minor units. */
  amount,
  currency,
  method: z.enum(MANUAL_METHODS, { error: 'Please choose how it was paid' }),
  date: date('Date is required'),
  note: optionalText(500),
  /** The charges it is meant for; what is left goes to the oldest due, then to credit. */
  chargeIds: z._default(z.array(id('Please choose a lesson')).check(z.maxLength(500)), []),
});
export type PaymentInput = z.infer<typeof PaymentInput>;

export const RefundInput = z.object({
  amount,
  date: date('Date is required'),
  note: optionalText(500),
});
export type RefundInput = z.infer<typeof RefundInput>;

/** A charge that is not fully paid. */
export const OpenCharge = z.object({
  id: z.number(),
  sessionId: z.nullable(z.number()),
  lessonId: z.nullable(z.number()),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  dueDate: z.string(),
  currency,
  amount: z.number(),
  outstanding: z.number(),
});
export type OpenCharge = z.infer<typeof OpenCharge>;

/** What recording a payment starts from: who pays, what is open, what is likely. */
export const PaymentFormData = z.object({
  familyId: z.number(),
  familyName: z.string(),
  students: z.array(z.string()),
  today: z.string(),
  lastMethod: z.nullable(z.enum(MANUAL_METHODS)),
  /** The currency of what is owed, else of the last payment, else of the lessons. */
  currency,
  balances: z.array(Balance),
  charges: z.array(OpenCharge),
  /** Those of `charges` that belong to the lesson or session it was asked for. */
  preselectedChargeIds: z.array(z.number()),
  claim: z.nullable(TransferClaim),
});
export type PaymentFormData = z.infer<typeof PaymentFormData>;

const optionalId = z.optional(
  z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
);

export const paginationFields = {
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
};

export const payments = defineEndpoints({
  listPayments: {
    method: 'GET',
    path: '/api/payments',
    access: 'login',
    summary:
      'Payments and refunds of a period, newest first; what was taken back is not among them',
    query: z.object({ period: z._default(z.enum(PERIODS), 'all_time'), ...paginationFields }),
    reply: z.array(Payment),
  },
  paymentFormData: {
    method: 'GET',
    path: '/api/payments/start',
    access: 'login',
    summary: 'What recording a payment starts from, for a lesson, session, student or family',
    query: z.object({
      lessonId: optionalId,
      sessionId: optionalId,
      studentId: optionalId,
      familyId: optionalId,
    }),
    reply: PaymentFormData,
  },
  recordPayment: {
    method: 'POST',
    path: '/api/payments',
    access: 'login',
    summary: 'Write down money received',
    body: PaymentInput,
    reply: PaymentDetails,
    status: 201,
    idempotent: true,
  },
  payment: {
    method: 'GET',
    path: '/api/payments/:id',
    access: 'login',
    summary: 'A payment with what it covered',
    params: IdParams,
    reply: PaymentDetails,
  },
  refundPayment: {
    method: 'POST',
    path: '/api/payments/:id/refund',
    access: 'login',
    summary: 'Write down money given back, all or part',
    params: IdParams,
    body: RefundInput,
    reply: PaymentDetails,
    status: 201,
    idempotent: true,
  },
  reversePayment: {
    method: 'POST',
    path: '/api/payments/:id/reverse',
    access: 'login',
    summary: 'Take back a payment or refund that was written down by mistake',
    params: IdParams,
    reply: PaymentDetails,
    idempotent: true,
  },
});
