import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { HOLD_REASONS, INVOICE_KINDS, INVOICE_STATES } from './invoices.ts';
import { PAYMENT_METHODS } from './payments.ts';
import { currency, minorUnits, singleLine } from './schema-fields.ts';
import { SESSION_STATUSES } from './sessions.ts';

/* One search over a tutor's data. Each kind has its own list, best match first. */

/** The largest number of results of each kind. */
export const SEARCH_LIMIT = 5;
export const MAX_SEARCH_LENGTH = 100;

export const SearchQuery = z.object({
  q: z
    .string()
    .check(
      singleLine,
      z.trim(),
      z.minLength(1, 'Please enter what to search for'),
      z.maxLength(MAX_SEARCH_LENGTH, `Please use at most ${MAX_SEARCH_LENGTH} characters`),
    ),
});

const FoundStudent = z.object({
  id: z.number(),
  name: z.string(),
  subject: z.nullable(z.string()),
  /** The main contact, unless that is the student. */
  carerName: z.nullable(z.string()),
  /** The account of the current payer. */
  familyId: z.nullable(z.number()),
  isArchived: z.boolean(),
});

/** A contact without an account. A contact who pays is found as a family. */
const FoundContact = z.object({
  id: z.number(),
  name: z.string(),
  relationship: z.nullable(z.string()),
  /** Active students first. */
  students: z.array(z.object({ id: z.number(), name: z.string(), isArchived: z.boolean() })),
});

const FoundFamily = z.object({
  id: z.number(),
  name: z.string(),
  students: z.array(z.string()),
  owed: z.array(z.object({ currency, amount: minorUnits })),
});

const FoundInvoice = z.object({
  id: z.number(),
  kind: z.enum(INVOICE_KINDS),
  number: z.nullable(z.string()),
  state: z.enum(INVOICE_STATES),
  holdReason: z.nullable(z.enum(HOLD_REASONS)),
  familyName: z.string(),
  currency,
  total: minorUnits,
  due: minorUnits,
  dueOn: z.nullable(z.string()),
});

const FoundPayment = z.object({
  id: z.number(),
  kind: z.enum(['payment', 'refund', 'dispute']),
  familyId: z.number(),
  familyName: z.string(),
  amount: minorUnits,
  currency,
  method: z.enum(PAYMENT_METHODS),
  paidOn: z.string(),
});

/** A session. */
const FoundLesson = z.object({
  id: z.number(),
  lessonId: z.number(),
  title: z.string(),
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  status: z.enum(SESSION_STATUSES),
});

const FoundSubject = z.object({ id: z.number(), name: z.string() });

export const SearchResults = z.object({
  students: z.array(FoundStudent),
  contacts: z.array(FoundContact),
  families: z.array(FoundFamily),
  lessons: z.array(FoundLesson),
  invoices: z.array(FoundInvoice),
  payments: z.array(FoundPayment),
  subjects: z.array(FoundSubject),
  /** The date that the text contains, in the tutor's time zone. */
  date: z.nullable(z.string()),
});
export type SearchResults = z.infer<typeof SearchResults>;

export const search = defineEndpoints({
  search: {
    method: 'GET',
    path: '/api/search',
    access: 'login',
    summary:
      'Find students, contacts, families, lessons, invoices, payments and subjects by name, email, phone, number, state, amount or date',
    query: SearchQuery,
    reply: SearchResults,
  },
});
