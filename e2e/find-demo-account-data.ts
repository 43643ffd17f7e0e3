import { accounts } from '@lessonbook/contract/accounts';
import { addDaysToDate, startOfWeek } from '@lessonbook/contract/dates';
import type { InvoiceRow } from '@lessonbook/contract/invoices';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { DEMO_LOGIN } from '@lessonbook/test-env/demo';
import { type APIRequestContext, type BrowserContext, expect } from '@playwright/test';
import { createApiClient } from './api-client.ts';
import { lessonTitle } from './page-objects/session-page.ts';

/** The demo account has data of every kind. Tests share it, so they must not change it. */
export interface DemoData {
  /** A day this week with several lessons. */
  busyDay: string;
  upcomingSession: SessionRow;
  incompleteSession: SessionRow;
  completedSession: SessionRow;
  /** A carer who has two students and has already made a payment. */
  payer: { id: number; name: string };
  /** A payment that covers lessons. */
  payment: { id: number; familyId: number };
  issuedInvoice: InvoiceRow;
  /** Created by `global-setup.ts` for all tests. */
  draftInvoices: InvoiceRow[];
  /** Path of the payment page for a family with an outstanding balance. */
  payPath: string;
  /** Screens about lessons, with their headings. */
  lessonScreens: Record<string, string>;
  /** Screens about money, with their headings. */
  moneyScreens: Record<string, string>;
}

export async function logInDemoTutor(http: APIRequestContext, origin: string): Promise<void> {
  const response = await http.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: DEMO_LOGIN,
  });
  expect(response.status()).toBe(200);
}

export async function logInAndLoadDemo(context: BrowserContext, origin: string): Promise<DemoData> {
  await logInDemoTutor(context.request, origin);
  const api = createApiClient(context.request, origin);
  const [{ today, upcoming, incomplete, unpaid }, families, payments, invoices, allStudents] =
    await Promise.all([
      api.dashboard(),
      api.families(),
      api.payments(),
      api.invoices(),
      api.students(),
    ]);
  const student = assertPresent(allStudents[0]);
  const busyDay = addDaysToDate(startOfWeek(today), 2);
  const upcomingSession = assertPresent(upcoming[0]);
  const incompleteSession = assertPresent(incomplete[0]);
  const completedSession = assertPresent(unpaid[0]?.session);
  const payer = assertPresent(families.find(({ students }) => students.length > 1));
  const payment = assertPresent(
    payments.find(({ students, kind }) => students.length > 0 && kind === 'payment'),
  );
  const issuedInvoice = assertPresent(
    invoices.find(({ state, kind }) => state !== 'draft' && kind === 'invoice'),
  );
  const draftInvoices = invoices.filter(({ state }) => state === 'draft');
  const draft = assertPresent(draftInvoices[0]);
  const familyWithDebt = assertPresent(
    families.find(({ balances }) => balances.some(({ owed }) => owed > 0)),
  );
  const { payToken } = await api.family(familyWithDebt.id);
  return {
    busyDay,
    upcomingSession: upcomingSession,
    incompleteSession,
    completedSession,
    payer,
    payment,
    issuedInvoice,
    draftInvoices,
    payPath: `/pay/${payToken}`,
    lessonScreens: {
      '/': 'Good to see you, Ada',
      [`/schedule?date=${busyDay}`]: 'Schedule',
      [`/schedule?date=${busyDay}&board=week`]: 'Schedule',
      '/students': 'Students',
      [`/students/${student.id}`]: student.name,
      [`/students/${student.id}?tab=people`]: student.name,
      '/schedule?view=students': 'Students',
      '/schedule?view=subjects': 'Subjects',
      [`/sessions?date=${busyDay}`]: 'Sessions',
      [`/sessions/${upcomingSession.id}`]: lessonTitle(upcomingSession),
      [`/sessions/${completedSession.id}`]: lessonTitle(completedSession),
      [`/lessons/${incompleteSession.lessonId}/complete`]: 'Complete lessons',
    },
    moneyScreens: {
      [`/payments/create/${completedSession.lessonId}`]: 'Record payment',
      '/families': 'Families',
      [`/families/${payer.id}`]: payer.name,
      '/reports': 'Tutor Earnings Report',
      '/reports?show=owed': 'Tutor Earnings Report',
      '/invoices': 'Invoices',
      [`/invoices/${issuedInvoice.id}`]: `Invoice ${issuedInvoice.number}`,
      [`/invoices/${draft.id}`]: 'Draft invoice',
      [`/invoices/everyone?drafts=${draftInvoices.map(({ id }) => id).join('-')}`]:
        draftInvoices.length === 1 ? 'Review 1 invoice' : `Review ${draftInvoices.length} invoices`,
      '/settings/business': 'Business',
      [`/pay/${payToken}`]: 'Payment to Demo Tuition',
      [`/invoices/${issuedInvoice.token}`]: 'Payment to Demo Tuition',
    },
  };
}

function assertPresent<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The demo data is incomplete');
  return value;
}
