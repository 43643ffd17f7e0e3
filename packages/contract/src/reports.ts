import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { PERIODS } from './periods.ts';
import { currency } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

/** A list shows at most this many; the counts tell the truth beyond it. */
export const DASHBOARD_LIST_LIMIT = 5;

export const Dashboard = z.object({
  today: z.string(),
  todayCount: z.number(),
  upcoming: z.array(SessionRow),
  incomplete: z.array(SessionRow),
  incompleteCount: z.number(),
  /** One row for each family: its oldest unpaid lesson stands for all. */
  unpaid: z.array(
    z.object({
      session: SessionRow,
      familyId: z.number(),
      familyName: z.string(),
      more: z.number(),
      outstanding: z.number(),
    }),
  ),
  unpaidCount: z.number(),
  /** Payers who say that a transfer is on its way. */
  claims: z.array(
    z.object({
      familyId: z.number(),
      familyName: z.string(),
      on: z.string(),
      /** What they owe, which is what they will have sent. */
      amount: z.number(),
      currency,
    }),
  ),
  /** Monday to Sunday around today. */
  week: z.object({
    taught: z.number(),
    total: z.number(),
    money: z.array(
      z.object({
        currency,
        /** Worth of the lessons given. */
        taught: z.number(),
        toCome: z.number(),
        /** Money in, less money given back. */
        received: z.number(),
      }),
    ),
  }),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** What a new tutor has done already. */
export const OnboardingProgress = z.object({
  student: z.boolean(),
  lesson: z.boolean(),
  /** Families can be told where to pay: bank details, a name for invoices, or cards. */
  payment: z.boolean(),
  reminders: z.boolean(),
  /** Once a lesson was taught nobody is new any more. */
  taught: z.boolean(),
});
export type OnboardingProgress = z.infer<typeof OnboardingProgress>;

const netFields = {
  currency,
  /** Money in, less money given back. */
  net: z.number(),
};

/** Money received in a period. Nothing is ever added across currencies. */
export const EarningsReport = z.object({
  period: z.enum(PERIODS),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  /** One for each currency, the largest first. */
  totals: z.array(
    z.object({
      ...netFields,
      received: z.number(),
      refunded: z.number(),
      payments: z.number(),
      /** The same of the period before; none for all time. */
      before: z.nullable(z.number()),
    }),
  ),
  months: z.array(z.object({ month: z.string(), ...netFields })),
  /** Without an id: money that no charge has used yet, or that paid for something else than a student's lesson. */
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
      'Money received in a period: totals, by month, student and subject, and the period before',
    query: PeriodQuery,
    reply: EarningsReport,
  },
  earningsCsv: {
    method: 'GET',
    path: '/api/reports/earnings.csv',
    access: 'login',
    summary: 'Every payment and refund of a period, for a spreadsheet',
    query: PeriodQuery,
    file: 'text/csv',
    reply: z.string(),
  },
  earningsPdf: {
    method: 'GET',
    path: '/api/reports/earnings.pdf',
    access: 'login',
    summary: 'The report on paper',
    query: PeriodQuery,
    file: 'application/pdf',
    reply: z.string(),
  },
  dashboard: {
    method: 'GET',
    path: '/api/dashboard',
    access: 'login',
    summary: 'What the home screen shows',
    reply: Dashboard,
  },
  onboardingProgress: {
    method: 'GET',
    path: '/api/first-steps',
    access: 'login',
    summary: 'What a new tutor has done already',
    reply: OnboardingProgress,
  },
});
