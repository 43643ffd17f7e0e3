import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

/** The maximum length of each list; the counts cover all items. */
export const DASHBOARD_LIST_LIMIT = 5;

export const Dashboard = z.object({
  today: z.string(),
  todayCount: z.number(),
  upcoming: z.array(SessionRow),
  incomplete: z.array(SessionRow),
  incompleteCount: z.number(),
  /** One row per family, with its oldest unpaid lesson. */
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
  /** Transfers that payers have reported. */
  claims: z.array(
    z.object({
      familyId: z.number(),
      familyName: z.string(),
      on: z.string(),
      /** What the family owes; the payer does not state an amount. */
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
        /** The value of the lessons taught. */
        taught: z.number(),
        toCome: z.number(),
        /** Payments less refunds. */
        received: z.number(),
      }),
    ),
  }),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** The onboarding steps a new tutor has completed. */
export const OnboardingProgress = z.object({
  student: z.boolean(),
  lesson: z.boolean(),
  /** Bank details, a trading name or card payments are set up. */
  payment: z.boolean(),
  reminders: z.boolean(),
  /** Onboarding ends with the first lesson taught. */
  taught: z.boolean(),
});
export type OnboardingProgress = z.infer<typeof OnboardingProgress>;

export const dashboard = defineEndpoints({
  dashboard: {
    method: 'GET',
    path: '/api/dashboard',
    access: 'login',
    summary: 'The data of the dashboard',
    reply: Dashboard,
  },
  onboardingProgress: {
    method: 'GET',
    path: '/api/first-steps',
    access: 'login',
    summary: 'The onboarding steps a new tutor has completed',
    reply: OnboardingProgress,
  },
});
