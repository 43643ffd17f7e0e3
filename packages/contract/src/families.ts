import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Balance, MANUAL_METHODS, MAX_AMOUNT, ReturnedPayment, TransferClaim } from './payments.ts';
import {
  currency,
  date,
  IdParams,
  idParam,
  minorUnits,
  optionalText,
  PageQuery,
  paginationFields,
  timeZone,
} from './schema-fields.ts';

/* A family is the account of a payer: either a carer, or a student without a carer. */

export const Family = z.object({
  id: z.number(),
  name: z.string(),
  students: z.array(z.string()),
  balances: z.array(Balance),
  /** The due date of the oldest charge that has not been fully paid. */
  oldestDueDate: z.nullable(z.string()),
  /** A transfer reported by the payer; it does not affect the balance. */
  claim: z.nullable(TransferClaim),
});
export type Family = z.infer<typeof Family>;

/** The amount owed in one currency, broken down by when it is due. */
export const DueAmounts = z.object({
  currency,
  /**
   * Past its due date and not on hold. An invoiced charge has the invoice's due date; opening balances, and the lessons of a
   * family that has never been invoiced, are due on their own date.
   */
  overdue: minorUnits,
  overdueSince: z.nullable(z.string()),
  /** The next due date of the part that is not overdue. */
  dueOn: z.nullable(z.string()),
  /** The part that is not on an issued invoice. */
  uninvoiced: minorUnits,
  /** The part that has no due date yet, because the family has been invoiced before and this part will be invoiced too. */
  withoutDueDate: minorUnits,
});
export type DueAmounts = z.infer<typeof DueAmounts>;

export const FamilyListItem = z.extend(Family, {
  /** The current students; `students` also includes deleted ones. */
  children: z.array(z.object({ id: z.number(), name: z.string() })),
  nextLesson: z.nullable(
    z.object({ sessionId: z.number(), date: z.string(), startTime: z.string() }),
  ),
  /** One entry per currency with an amount owed. */
  due: z.array(DueAmounts),
});
export type FamilyListItem = z.infer<typeof FamilyListItem>;

/** The payer, or a contact of one of the children. */
export const FamilyPerson = z.object({
  contactId: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** The contact's own account, if they pay; not necessarily this account. */
  familyId: z.nullable(z.number()),
  /** The names of the children whose messages about lessons go to this contact. */
  mainContactOf: z.array(z.string()),
});
export type FamilyPerson = z.infer<typeof FamilyPerson>;

export const ENTRY_KINDS = [
  'lesson',
  'cancellation',
  'travel',
  'item',
  'opening',
  'reversal',
  'credit_note',
  'write_off',
  'payment',
  'refund',
  'dispute',
] as const;

/** One line of the account, with the resulting balance. */
export const LedgerEntry = z.object({
  key: z.string(),
  kind: z.enum(ENTRY_KINDS),
  date: z.string(),
  createdAt: z.string(),
  author: z.string(),
  description: z.string(),
  /** The tutor's note on a payment or refund, or the reason for a write-off. */
  note: z.nullable(z.string()),
  studentName: z.nullable(z.string()),
  currency,
  /** The change in the amount owed: positive for charges, negative for payments. */
  amount: minorUnits,
  /** The amount owed after this entry, in its currency; negative for a credit. */
  balance: minorUnits,
  /** Whether the entry was reversed or is itself a reversal; screens collapse such pairs. */
  reversed: z.boolean(),
  reverses: z.nullable(z.string()),
  chargeId: z.nullable(z.number()),
  sessionId: z.nullable(z.number()),
  /** The payment itself, or the payment that this entry refunds or reverses. */
  paymentId: z.nullable(z.number()),
  method: z.nullable(z.string()),
  invoice: z.nullable(z.object({ id: z.number(), number: z.string() })),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

export const FamilyDetails = z.extend(Family, {
  carerId: z.nullable(z.number()),
  studentId: z.nullable(z.number()),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  address: z.nullable(z.string()),
  /** The payer's time zone; null means the tutor's. */
  timeZone: z.nullable(z.string()),
  /** The reference the payer puts on a bank transfer. */
  reference: z.string(),
  due: z.array(DueAmounts),
  /** Includes deleted students, who have no page. */
  children: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      isCurrent: z.boolean(),
      balances: z.array(Balance),
    }),
  ),
  /** The payer first. */
  people: z.array(FamilyPerson),
  lastMethod: z.nullable(z.enum(MANUAL_METHODS)),
  /** The currency of the amount owed; otherwise that of the last payment, or else that of the lessons. */
  currency,
  /** The token of the public page (/pay/…) that shows this balance. */
  payToken: z.string(),
  returnedPayments: z.array(ReturnedPayment),
  entries: z.array(LedgerEntry),
  entryCount: z.number(),
});
export type FamilyDetails = z.infer<typeof FamilyDetails>;

export const FamilyInput = z.object({
  address: optionalText(500),
  /** Null or empty means the tutor's time zone. */
  timeZone: z.optional(z.nullable(z.union([z.literal(''), timeZone]))),
  reference: z
    .string({ error: 'Reference is required' })
    .check(
      z.trim(),
      z.minLength(1, 'Reference is required'),
      z.maxLength(18, 'Please use at most 18 characters'),
      z.regex(/^[A-Za-z0-9 .-]*$/, 'Letters, digits, spaces, full stops and hyphens only'),
    ),
});
export type FamilyInput = z.infer<typeof FamilyInput>;

export const OpeningBalanceInput = z.object({
  /** In minor units: positive if owed, negative if in credit. */
  amount: z.number({ error: 'Please enter an amount' }).check(
    z.int('Please enter an amount'),
    z.minimum(-MAX_AMOUNT, 'That amount is too large'),
    z.maximum(MAX_AMOUNT, 'That amount is too large'),
    z.refine((amount) => amount !== 0, 'Please enter an amount'),
  ),
  currency,
  date: date('Date is required'),
});
export type OpeningBalanceInput = z.infer<typeof OpeningBalanceInput>;

export const families = defineEndpoints({
  listFamilies: {
    method: 'GET',
    path: '/api/families',
    access: 'login',
    summary: 'Accounts that have a current student, a debt or a credit, sorted by id',
    query: PageQuery,
    reply: z.array(FamilyListItem),
  },
  family: {
    method: 'GET',
    path: '/api/families/:id',
    access: 'login',
    summary: 'One account with its entries, newest first',
    params: IdParams,
    query: z.object(paginationFields),
    reply: FamilyDetails,
  },
  updateFamily: {
    method: 'PUT',
    path: '/api/families/:id',
    access: 'login',
    summary: 'Change the address, time zone and payment reference of an account',
    params: IdParams,
    body: FamilyInput,
    reply: z.object({
      address: z.nullable(z.string()),
      reference: z.string(),
      timeZone: z.nullable(z.string()),
    }),
  },
  replacePayLink: {
    method: 'POST',
    path: '/api/families/:id/link/replace',
    access: 'login',
    summary: 'Replace the payment link of an account; the old one stops working',
    params: IdParams,
    reply: z.object({ payToken: z.string() }),
  },
  setOpeningBalance: {
    method: 'POST',
    path: '/api/families/:id/opening-balance',
    access: 'login',
    summary: 'Record the balance that an account had before the tutor started using Lessonbook',
    params: IdParams,
    body: OpeningBalanceInput,
    reply: z.object({ balances: z.array(Balance) }),
    status: 201,
    idempotent: true,
  },
  reverseCharge: {
    method: 'POST',
    path: '/api/families/:id/charges/:chargeId/reverse',
    access: 'login',
    summary: 'Reverse an opening balance',
    params: z.extend(IdParams, {
      chargeId: idParam,
    }),
    reply: z.object({ balances: z.array(Balance) }),
    idempotent: true,
  },
  dismissClaim: {
    method: 'DELETE',
    path: '/api/families/:id/claim',
    access: 'login',
    summary: "Dismiss a family's report of a bank transfer",
    params: IdParams,
    reply: z.object({ message: z.string() }),
  },
  balances: {
    method: 'GET',
    path: '/api/balances',
    access: 'login',
    summary: 'Accounts with an amount owed, sorted by id',
    query: PageQuery,
    reply: z.array(Family),
  },
  studentBalance: {
    method: 'GET',
    path: '/api/students/:id/balance',
    access: 'login',
    summary: 'What is outstanding for a student, and the balances of the account',
    params: IdParams,
    reply: z.object({
      familyId: z.nullable(z.number()),
      balances: z.array(Balance),
      familyBalances: z.array(Balance),
    }),
  },
});
