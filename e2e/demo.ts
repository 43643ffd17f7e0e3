import { accounts } from '@lessonbook/contract/accounts';
import { plusDays, startOfWeek } from '@lessonbook/contract/dates';
import type { InvoiceRow } from '@lessonbook/contract/invoices';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { DEMO_LOGIN } from '@lessonbook/test-env/demo';
import { type APIRequestContext, type BrowserContext, expect } from '@playwright/test';
import { createApiClient } from './api-client.ts';

/** The demo account has data of every kind. Tests share it, so they must not change it. */
export interface Demo {
  /** A day this week with several lessons. */
  busyDay: string;
  upcoming: SessionRow;
  dueSession: SessionRow;
  completed: SessionRow;
  /** A carer with two students, who has already made a payment. */
  payer: { id: number; name: string };
  /** A payment that covers lessons. */
  payment: { id: number; familyId: number };
  issued: InvoiceRow;
  /** Created by `global-setup.ts` for all tests. */
  drafts: InvoiceRow[];
  /** Path of the payment page for a family with an outstanding balance. */
  payPath: string;
  /** Screens about lessons, with their headings. */
  screens: Record<string, string>;
  /** Screens about money, with their headings. */
  moneyScreens: Record<string, string>;
}

export async function logInToDemo(http: APIRequestContext, origin: string): Promise<void> {
  const response = await http.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: DEMO_LOGIN,
  });
  expect(response.status()).toBe(200);
}

export async function logInAsDemo(context: BrowserContext, origin: string): Promise<Demo> {
  await logInToDemo(context.request, origin);
  const api = createApiClient(context.request, origin);
  const [{ today, upcoming, incomplete, unpaid }, families, payments, invoices] = await Promise.all(
    [api.dashboard(), api.families(), api.payments(), api.invoices()],
  );
  const busyDay = plusDays(startOfWeek(today), 2);
  const upcomingSession = assertPresent(upcoming[0]);
  const dueSession = assertPresent(incomplete[0]);
  const completed = assertPresent(unpaid[0]?.session);
  const payer = assertPresent(families.find(({ students }) => students.length > 1));
  const payment = assertPresent(
    payments.find(({ students, kind }) => students.length > 0 && kind === 'payment'),
  );
  const issued = assertPresent(
    invoices.find(({ state, kind }) => state !== 'draft' && kind === 'invoice'),
  );
  const drafts = invoices.filter(({ state }) => state === 'draft');
  const draft = assertPresent(drafts[0]);
  const owing = assertPresent(
    families.find(({ balances }) => balances.some(({ owed }) => owed > 0)),
  );
  const { payToken } = await api.family(owing.id);
  return {
    busyDay,
    upcoming: upcomingSession,
    dueSession,
    completed,
    payer,
    payment,
    issued,
    drafts,
    payPath: `/pay/${payToken}`,
    screens: {
      '/': 'Good to see you, Ada',
      [`/schedule?date=${busyDay}`]: 'Schedule',
      [`/schedule?date=${busyDay}&board=week`]: 'Schedule',
      '/schedule?view=students': 'Students',
      '/schedule?view=subjects': 'Subjects',
      [`/sessions?date=${busyDay}`]: 'Sessions',
      [`/sessions/${completed.id}`]: 'Session Details',
      [`/lessons/${upcomingSession.lessonId}`]: 'Lesson Details',
      [`/lessons/${dueSession.lessonId}/complete`]: 'Complete Lessons',
    },
    moneyScreens: {
      [`/payments/create/${completed.lessonId}`]: 'Record payment',
      '/families': 'Accounts',
      [`/families/${payer.id}`]: payer.name,
      '/reports': 'Tutor Earnings Report',
      '/reports?show=owed': 'Tutor Earnings Report',
      '/invoices': 'Invoices',
      [`/invoices/${issued.id}`]: `Invoice ${issued.number}`,
      [`/invoices/${draft.id}`]: 'Draft invoice',
      [`/invoices/everyone?drafts=${drafts.map(({ id }) => id).join('-')}`]: 'Invoice everyone',
      [`/invoices/everyone?issued=${issued.id}`]: 'Invoice everyone',
      '/settings/business': 'Business',
      [`/pay/${payToken}`]: 'Payment to Demo Tuition',
      [`/invoices/${issued.token}`]: 'Payment to Demo Tuition',
    },
  };
}

function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The demo data is incomplete');
  return value;
}
