import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { publicId } from './portal.ts';
import { currency, IdParams, id, idParam, minorUnits, optionalText } from './schema-fields.ts';

/* Families' questions about a charge. The payer is not asked for the charge until the tutor has answered. */

/** A question as the tutor sees it. */
export const ChargeQuery = z.object({
  id: z.number(),
  contactName: z.string(),
  studentName: z.nullable(z.string()),
  description: z.string(),
  date: z.string(),
  currency,
  /** The amount still to pay; 0 if the charge has been paid or credited since. */
  outstanding: minorUnits,
  invoiceNumber: z.nullable(z.string()),
  message: z.string(),
  askedAt: z.string(),
});
export type ChargeQuery = z.infer<typeof ChargeQuery>;

export const ChargeQueryInput = z.object({
  chargeId: id('Please choose a charge'),
  message: z
    .string({ error: 'Please write your question' })
    .check(
      z.trim(),
      z.minLength(1, 'Please write your question'),
      z.maxLength(1000, 'Please use at most 1000 characters'),
    ),
});
export type ChargeQueryInput = z.infer<typeof ChargeQueryInput>;

export const ChargeQueryAnswer = z.object({
  /** If false, the unpaid part of the charge is credited, including any part that was written off. */
  isOwed: z.boolean(),
  answer: optionalText(1000),
});
export type ChargeQueryAnswer = z.infer<typeof ChargeQueryAnswer>;

const AccountParams = z.object({ publicId, accountId: idParam });

export const portalChargeQueries = defineEndpoints({
  queryCharge: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/accounts/:accountId/queries',
    access: 'contact',
    summary:
      'Ask the tutor a question about a charge, which need not be paid until the question is answered',
    params: AccountParams,
    body: ChargeQueryInput,
    reply: z.object({ id: z.number() }),
    idempotent: true,
  },
  withdrawChargeQuery: {
    method: 'DELETE',
    path: '/api/portal/tutors/:publicId/accounts/:accountId/queries/:id',
    access: 'contact',
    summary: 'Withdraw a question about a charge',
    params: z.object({ publicId, accountId: idParam, id: idParam }),
    reply: z.object({}),
  },
});

export const chargeQueries = defineEndpoints({
  listChargeQueries: {
    method: 'GET',
    path: '/api/families/:id/queries',
    access: 'login',
    summary: "A family's questions about charges that have not been answered yet",
    params: IdParams,
    reply: z.array(ChargeQuery),
  },
  answerChargeQuery: {
    method: 'POST',
    path: '/api/charge-queries/:id/answer',
    access: 'login',
    summary: 'Answer a question about a charge, and keep or credit the charge',
    params: IdParams,
    body: ChargeQueryAnswer,
    reply: z.object({}),
    idempotent: true,
  },
});
