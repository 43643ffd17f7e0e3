import { accounts } from '@lessonbook/contract/accounts';
import { plusDays, startOfWeek } from '@lessonbook/contract/dates';
import type { InvoiceRow } from '@lessonbook/contract/invoices';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { DEMO_LOGIN } from '@lessonbook/test-env/demo';
import { type APIRequestContext, type BrowserContext, expect } from '@playwright/test';
import { createApiClient } from './api-client.ts';

/** The demo tutor's book is full. Tests share it, so they look at everything and save nothing. */
export interface Demo {
  /** A day of this week with several lessons. */
  busyDay: string;
  upcoming: SessionRow;
  dueSession: SessionRow;
  completed: SessionRow;
  /** The carer of two, who has paid before. */
  payer: { id: number; name: string };
  /** A payment that has paid for lessons. */
  payment: { id: number; familyId: number };
  issued: InvoiceRow;
  /** Made once for all tests, by `global-setup.ts`. */
  drafts: InvoiceRow[];
  /** The page of a family that owes something. */
  payPath: string;
  /** Every screen that the teaching day has filled, with its heading. */
  screens: Record<string, string>;
  /** Every screen that money has filled. */
  moneyScreens: Record<string, string>;
}

export async function logInToDemo(api: APIRequestContext, origin: string): Promise<void> {
  const answer = await api.post(`${origin}${accounts.login.path}`, {
    headers: { origin },
    data: DEMO_LOGIN,
  });
  expect(answer.status()).toBe(200);
}

export async function logInAsDemo(context: BrowserContext, origin: string): Promise<Demo> {
  await logInToDemo(context.request, origin);
  const api = createApiClient(context.request, origin);
  const [{ today, upcoming, incomplete, unpaid }, families, payments, invoices] = await Promise.all(
    [api.dashboard(), api.families(), api.payments(), api.invoices()],
  );
  const busyDay = plusDays(startOfWeek(today), 2);
  const toCome = assertPresent(upcoming[0]);
  const toTickOff = assertPresent(incomplete[0]);
  const taught = assertPresent(unpaid[0]?.session);
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
    upcoming: toCome,
    dueSession: toTickOff,
    completed: taught,
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
      [`/sessions/${taught.id}`]: 'Session Details',
      [`/lessons/${toCome.lessonId}`]: 'Lesson Details',
      [`/lessons/${toTickOff.lessonId}/complete`]: 'Complete Lessons',
    },
    moneyScreens: {
      [`/payments/create/${taught.lessonId}`]: 'Record payment',
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

function assertPresent<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('The book of the demo tutor is not full');
  return thing;
}
