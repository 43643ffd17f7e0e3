import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency, minorUnits } from './schema-fields.ts';
import { SessionRow } from './sessions.ts';

/** The maximum length of each list; the counts include items beyond it. */
export const DASHBOARD_LIST_LIMIT = 5;

export const Dashboard = z.object({
  today: z.string(),
  todayCount: z.number(),
  upcoming: z.array(SessionRow),
  incomplete: z.array(SessionRow),
  incompleteCount: z.number(),
  /** One row per family and currency, with its oldest unpaid lesson. */
  unpaid: z.array(
    z.object({
      session: SessionRow,
      familyId: z.number(),
      familyName: z.string(),
      /** Whose lessons are unpaid. */
      studentNames: z.array(z.string()),
      otherLessons: z.number(),
      outstanding: minorUnits,
      /** The part that is past its due date and not on hold. */
      overdue: minorUnits,
    }),
  ),
  /** Families with unpaid lessons; one that owes two currencies counts twice. */
  unpaidCount: z.number(),
  /** Bank transfers reported by payers. */
  transferClaims: z.array(
    z.object({
      familyId: z.number(),
      familyName: z.string(),
      claimedOn: z.string(),
      /** What the family owes; payers do not enter an amount. */
      amount: minorUnits,
      currency,
    }),
  ),
  /** The current week, Monday to Sunday. */
  week: z.object({
    completed: z.number(),
    total: z.number(),
    money: z.array(
      z.object({
        currency,
        /** The value of the lessons taught so far. */
        completedFees: minorUnits,
        scheduledFees: minorUnits,
        /** Payments less refunds. */
        received: minorUnits,
      }),
    ),
  }),
});
export type Dashboard = z.infer<typeof Dashboard>;

/** The onboarding steps a new tutor has completed. */
export const OnboardingProgress = z.object({
  student: z.boolean(),
  lesson: z.boolean(),
  /** Whether families can see how to pay: bank details, cards or instructions. */
  payment: z.boolean(),
  reminders: z.boolean(),
});
export type OnboardingProgress = z.infer<typeof OnboardingProgress>;

/** The counts shown in the navigation. */
export const NavigationCounts = z.object({
  activeStudents: z.number(),
  draftInvoices: z.number(),
  overdueInvoices: z.number(),
  /** Drafts that are ready for the tutor to send, and messages that could not be sent. */
  messagesToSend: z.number(),
});
export type NavigationCounts = z.infer<typeof NavigationCounts>;

export const dashboard = defineEndpoints({
  dashboard: {
    method: 'GET',
    path: '/api/dashboard',
    access: 'login',
    summary: 'The data shown on the dashboard',
    reply: Dashboard,
  },
  onboardingProgress: {
    method: 'GET',
    path: '/api/onboarding',
    access: 'login',
    summary: 'The onboarding steps a new tutor has completed',
    reply: OnboardingProgress,
  },
  navigationCounts: {
    method: 'GET',
    path: '/api/navigation-counts',
    access: 'login',
    summary: 'The counts shown in the navigation',
    reply: NavigationCounts,
  },
});
