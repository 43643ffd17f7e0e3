import { accounts } from '@lessonbook/contract/accounts';
import { mondayOf, plusDays } from '@lessonbook/contract/dates';
import type { InvoiceRow } from '@lessonbook/contract/invoices';
import type { SessionRow } from '@lessonbook/contract/sessions';
import { DEMO_LOGIN } from '@lessonbook/stage/demo';
import { type APIRequestContext, type BrowserContext, expect } from '@playwright/test';
import { openBook } from './book.ts';

/** The demo tutor's book is full. Tests share it, so they look at everything and save nothing. */
export interface Demo {
  /** A day of this week with several lessons. */
  busyDay: string;
  toCome: SessionRow;
  toTickOff: SessionRow;
  taught: SessionRow;
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
  const book = openBook(context.request, origin);
  const [{ today, upcoming, incomplete, unpaid }, families, payments, invoices] = await Promise.all(
    [book.dashboard(), book.families(), book.payments(), book.invoices()],
  );
  const busyDay = plusDays(mondayOf(today), 2);
  const toCome = some(upcoming[0]);
  const toTickOff = some(incomplete[0]);
  const taught = some(unpaid[0]?.session);
  const payer = some(families.find(({ students }) => students.length > 1));
  const payment = some(
    payments.find(({ students, kind }) => students.length > 0 && kind === 'payment'),
  );
  const issued = some(invoices.find(({ state, kind }) => state !== 'draft' && kind === 'invoice'));
  const drafts = invoices.filter(({ state }) => state === 'draft');
  const draft = some(drafts[0]);
  const owing = some(families.find(({ balances }) => balances.some(({ owed }) => owed > 0)));
  const { payToken } = await book.family(owing.id);
  return {
    busyDay,
    toCome,
    toTickOff,
    taught,
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

function some<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error('The book of the demo tutor is not full');
  return thing;
}
