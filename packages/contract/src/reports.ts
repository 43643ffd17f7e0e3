import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { PERIODS } from './periods.ts';
import { currency, minorUnits } from './schema-fields.ts';

const netFields = {
  currency,
  /** Payments less refunds. */
  net: minorUnits,
};

/** Money received in a period. Amounts in different currencies are never added together. */
export const EarningsReport = z.object({
  period: z.enum(PERIODS),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** One entry per currency, largest first. */
  totals: z.array(
    z.object({
      ...netFields,
      received: minorUnits,
      refunded: minorUnits,
      payments: z.number(),
      /** The `net` amount for the previous period; null for all time. */
      previousNet: z.nullable(minorUnits),
    }),
  ),
  months: z.array(z.object({ month: z.string(), ...netFields })),
  /** A null id groups money that is unallocated or was paid for something other than a lesson. */
  students: z.array(z.object({ id: z.nullable(z.number()), name: z.string(), ...netFields })),
  subjects: z.array(z.object({ id: z.nullable(z.number()), name: z.string(), ...netFields })),
});
export type EarningsReport = z.infer<typeof EarningsReport>;

const PeriodQuery = z.object({ period: z._default(z.enum(PERIODS), 'last_month') });

export const reports = defineEndpoints({
  earnings: {
    method: 'GET',
    path: '/api/reports/earnings',
    access: 'login',
    summary:
      'Money received in a period: totals, breakdowns by month, student and subject, and the previous period',
    query: PeriodQuery,
    reply: EarningsReport,
  },
  earningsCsv: {
    method: 'GET',
    path: '/api/reports/earnings.csv',
    access: 'login',
    summary: 'Every payment and refund in a period, for a spreadsheet',
    query: PeriodQuery,
    file: 'text/csv',
    reply: z.string(),
  },
  earningsPdf: {
    method: 'GET',
    path: '/api/reports/earnings.pdf',
    access: 'login',
    summary: 'The report as a PDF',
    query: PeriodQuery,
    file: 'application/pdf',
    reply: z.string(),
  },
});
