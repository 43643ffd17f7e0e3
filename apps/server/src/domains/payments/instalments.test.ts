import { accounts } from '@lessonbook/contract/accounts';
import { arrears, type InstalmentPlanInput } from '@lessonbook/contract/arrears';
import { bulkMessages } from '@lessonbook/contract/bulk-messages';
import { messages } from '@lessonbook/contract/messages';
import { notifications } from '@lessonbook/contract/notifications';
import { payments } from '@lessonbook/contract/payments';
import { portalMoney } from '@lessonbook/contract/portal-charges-and-invoices';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  assertInvariants,
  createCompletedLesson,
  createFamilyFixture,
  createPayment,
  readFamily,
  readOpenBill,
} from '../../test/payment-fixture.ts';
import { createPortalFixture, signInToPortal } from '../../test/portal-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { checkInstalments } from './service/instalment-plans.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => app.restartClock());

/** Ruth owes £103 for three lessons in September. Today is 16 November. */
async function createArrears() {
  const family = await createPortalFixture(app);
  const { browser, fixture, maya } = family;
  const familyId = maya.familyId as number;
  for (const [date, fee] of [
    ['2026-09-02', 38],
    ['2026-09-09', 35],
    ['2026-09-16', 30],
  ] as const)
    await createCompletedLesson(fixture, maya.id, date, { fee });
  const agree = (overrides: Partial<InstalmentPlanInput> = {}, key?: string) => {
    const plan = { currency: 'GBP', amount: 10_300, count: 3, frequency: 'monthly' };
    return browser.send(
      'POST',
      `/api/families/${familyId}/instalments`,
      { ...plan, firstOn: '2026-12-01', ...overrides },
      { ...(key && { 'idempotency-key': key }) },
    );
  };
  const end = () =>
    browser.call(arrears.endInstalments, { params: { id: familyId }, body: { currency: 'GBP' } });
  const readPlans = async () =>
    (await browser.call(arrears.arrears, { params: { id: familyId } })).body.plans;
  /** Reads the amounts due on the payment page, in pence. */
  const readAmountsDue = async () => {
    const bill = await readOpenBill(browser, (await readFamily(browser, familyId)).payToken);
    return bill.amounts.map(({ due }) => due);
  };
  const readMissed = async () =>
    (await browser.call(notifications.listNotifications, { query: {} })).body.notifications
      .filter(({ kind }) => kind === 'instalment_missed')
      .map(({ text }) => text);
  const addLesson = (date: string, fee: number) =>
    createCompletedLesson(fixture, maya.id, date, { fee });
  return { ...family, familyId, agree, end, readPlans, readAmountsDue, readMissed, addLesson };
}

const advanceDaysAndCheck = async (days: number) => {
  app.clock.advance({ hours: 24 * days });
  await checkInstalments(app.context);
};

test('while a family keeps to its plan, it is asked to pay only instalments that are due and new lessons', async () => {
  const { browser, familyId, agree, readPlans, readAmountsDue, ruthEmail, addLesson } =
    await createArrears();
  const { browser: ruth, login } = await signInToPortal(app, ruthEmail);
  const publicId = login.tutors[0]?.publicId as string;
  const readAccount = async () =>
    (await ruth.call(portalMoney.portalMoney, { params: { publicId } })).body.accounts[0];
  expect(await readAmountsDue()).toEqual([10_300]);
  expect((await agree()).status).toBe(200);
  expect(await readAmountsDue()).toEqual([]);
  const plan = {
    currency: 'GBP',
    instalments: [
      { dueOn: '2026-12-01', amount: 3434, outstanding: 3434, isDue: false },
      { dueOn: '2027-01-01', amount: 3433, outstanding: 3433, isDue: false },
      { dueOn: '2027-02-01', amount: 3433, outstanding: 3433, isDue: false },
    ],
  };
  expect(await readPlans()).toEqual([plan]);
  expect(await readAccount()).toMatchObject({
    balances: [{ owed: 0 }],
    charges: [],
    onHold: [{ currency: 'GBP', amount: 10_300, reason: 'instalments' }],
    plans: [plan],
  });
  const family = await readFamily(browser, familyId);
  expect(family.due).toMatchObject([{ overdue: 0, dueOn: '2026-12-01' }]);
  expect((await browser.call(bulkMessages.overdueReminders)).body.families).toEqual([]);
  // A new lesson is due as usual, and is settled by a payment of the amount due.
  await addLesson('2026-11-14', 40);
  expect(await readAmountsDue()).toEqual([4000]);
  await createPayment(browser, familyId, 4000);
  expect(await readAmountsDue()).toEqual([]);
  expect(await readPlans()).toEqual([plan]);
  await advanceDaysAndCheck(15);
  await addLesson('2026-11-30', 40);
  expect(await readAmountsDue()).toEqual([7434]);
  const reminder = { familyId, channel: 'email' as const };
  const { body: preview } = await browser.call(messages.previewReminder, { body: reminder });
  expect(preview.subject).toBe('Payment reminder: £74.34');
  expect(preview.text).toContain(
    'Instalment due Tue 1 Dec, £34.34\nMaya: Maths lesson, Mon 30 Nov, £40.00',
  );
  expect(await readAccount()).toMatchObject({
    balances: [{ owed: 7434 }],
    onHold: [{ amount: 6866, reason: 'instalments' }],
  });
  await createPayment(browser, familyId, 7434, { date: '2026-12-01' });
  expect(await readAmountsDue()).toEqual([]);
  expect(await readPlans()).toMatchObject([
    { instalments: [{ outstanding: 0 }, { outstanding: 3433 }, {}] },
  ]);
  await assertInvariants(app);
});

test('the tutor is notified once of a missed instalment and can end the plan', async () => {
  const { browser, familyId, agree, end, readPlans, readAmountsDue, readMissed } =
    await createArrears();
  await agree();
  await advanceDaysAndCheck(15);
  expect(await readMissed()).toEqual([]);
  await createPayment(browser, familyId, 3000, { date: '2026-12-01' });
  await advanceDaysAndCheck(1);
  await advanceDaysAndCheck(0);
  const text =
    "Ruth Hale hasn't paid the instalment due on Tue 1 Dec in full: £4.34 is still outstanding.";
  expect(await readMissed()).toEqual([text]);
  const { body } = await browser.call(bulkMessages.overdueReminders);
  expect(body.families).toMatchObject([
    { dueSince: '2026-12-01', overdue: [{ currency: 'GBP', amount: 434 }] },
  ]);
  for (let time = 0; time < 2; time += 1) expect((await end()).status).toBe(200);
  expect(await readPlans()).toEqual([]);
  expect(await readAmountsDue()).toEqual([7300]);
  await advanceDaysAndCheck(20);
  expect(await readMissed()).toEqual([text]);
});

test('an instalment that is paid on its due date is not reported as missed', async () => {
  const { browser, familyId, agree, readMissed } = await createArrears();
  await agree({ frequency: 'weekly', firstOn: '2026-11-16', count: 2 });
  await createPayment(browser, familyId, 5150);
  await advanceDaysAndCheck(7);
  await createPayment(browser, familyId, 5150, { date: '2026-11-23' });
  await advanceDaysAndCheck(14);
  expect(await readMissed()).toEqual([]);
});

test('the tutor is notified the next day if a payment is reversed after the last instalment was due', async () => {
  const { browser, familyId, agree, readMissed } = await createArrears();
  await agree({ frequency: 'weekly', firstOn: '2026-11-17', count: 2 });
  const { id } = await createPayment(browser, familyId, 10_300);
  await advanceDaysAndCheck(10);
  await browser.call(payments.reversePayment, { params: { id } });
  await advanceDaysAndCheck(0);
  expect(await readMissed()).toEqual([]);
  await advanceDaysAndCheck(1);
  await advanceDaysAndCheck(1);
  expect((await readMissed()).toSorted()).toEqual([
    "Ruth Hale hasn't paid the instalment due on Tue 17 Nov: £51.50 is outstanding.",
    "Ruth Hale hasn't paid the instalment due on Tue 24 Nov: £51.50 is outstanding.",
  ]);
});

test('the plan ends when the arrears are paid, and continues if the payment is reversed', async () => {
  const { browser, familyId, agree, readPlans, readAmountsDue, addLesson } = await createArrears();
  await agree();
  const { id } = await createPayment(browser, familyId, 10_300);
  expect(await readPlans()).toEqual([]);
  await browser.call(payments.reversePayment, { params: { id } });
  expect(await readPlans()).toHaveLength(1);
  expect(await readAmountsDue()).toEqual([]);
  await createPayment(browser, familyId, 10_300);
  await addLesson('2026-11-02', 50);
  expect((await agree({ amount: 5000 })).status).toBe(200);
  expect(await readPlans()).toMatchObject([{ instalments: [{ amount: 1667 }, {}, {}] }]);
  await assertInvariants(app);
});

test('only one plan is created per account and currency, even by concurrent requests', async () => {
  const { fixture, maya, agree, readPlans } = await createArrears();
  const replies = await Promise.all(Array.from({ length: 10 }, () => agree()));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  expect(await readPlans()).toHaveLength(1);
  await createCompletedLesson(fixture, maya.id, '2026-10-01', { fee: 20, currency: 'EUR' });
  const key = crypto.randomUUID();
  const euros = { currency: 'EUR', amount: 2000, count: 2 } as const;
  const repeated = await Promise.all(Array.from({ length: 3 }, () => agree(euros, key)));
  expect(repeated.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect((await readPlans()).map(({ currency }) => currency)).toEqual(['EUR', 'GBP']);
});

test('rejects invalid amounts, dates and accounts', async () => {
  const { browser, sam, agree, readPlans, familyId } = await createArrears();
  const other = await createArrears();
  expect((await agree({ amount: 10_299 })).status).toBe(409);
  expect((await agree({ currency: 'EUR' })).status).toBe(409);
  expect((await agree({ firstOn: '2026-11-15' })).status).toBe(400);
  expect((await agree({ firstOn: '2028-01-01' })).status).toBe(400);
  expect((await agree({ count: 1 })).status).toBe(400);
  expect((await agree({ count: 25 })).status).toBe(400);
  const body = {
    currency: 'GBP' as const,
    amount: 10_300,
    count: 3,
    frequency: 'weekly' as const,
    firstOn: '2026-12-01',
  };
  const agreeOnAccount = (id: number) =>
    browser.call(arrears.agreeInstalments, { params: { id }, body });
  const endOnAccount = (id: number) =>
    browser.call(arrears.endInstalments, { params: { id }, body: { currency: 'GBP' } });
  // Ids are per tutor, so the other tutor's family must have an id that this tutor does not use.
  const ida = await createStudent(other.browser, { name: 'Ida Berg', carerName: 'Eva Berg' });
  const otherFamilyId = ida.familyId as number;
  expect(otherFamilyId).toBeGreaterThan(Math.max(familyId, sam.familyId as number));
  await createCompletedLesson(other.fixture, ida.id, '2026-09-02', { fee: 103 });
  // Sam's family owes nothing. Another tutor's family and an unknown family are not found.
  expect((await agreeOnAccount(sam.familyId as number)).status).toBe(409);
  expect((await agreeOnAccount(otherFamilyId)).status).toBe(404);
  expect((await agreeOnAccount(familyId + 9000)).status).toBe(404);
  expect(await readPlans()).toEqual([]);
  const readOtherPlans = async () =>
    (await other.browser.call(arrears.arrears, { params: { id: otherFamilyId } })).body.plans;
  expect(await readOtherPlans()).toEqual([]);
  const params = { id: otherFamilyId };
  expect((await other.browser.call(arrears.agreeInstalments, { params, body })).status).toBe(200);
  expect((await endOnAccount(otherFamilyId)).status).toBe(404);
  expect((await endOnAccount(familyId + 9000)).status).toBe(404);
  expect((await endOnAccount(sam.familyId as number)).status).toBe(200);
  expect(await readOtherPlans()).toHaveLength(1);
});

test('an account with 1,000 charges in a plan can be read', async () => {
  const family = await createFamilyFixture(app);
  const { browser } = family.fixture;
  const { rows } = await app.admin.query<{ tutor_id: string }>(
    `select d.tutor_id from login_directory d where d.username = $1`,
    [(await browser.call(accounts.me)).body.username],
  );
  const values = [rows[0]?.tutor_id, family.familyId];
  await app.admin.query(
    `insert into charges (tutor_id, id, public_id, family_id, kind, description, amount, currency, due_date, outstanding,
       created_by, created_at)
     select $1, n, 'plan ' || n, $2, 'item', 'Book', 1000, 'GBP', '2024-01-01'::date + n, 1000, 'tutor', now()
     from generate_series(1, 1000) n`,
    values,
  );
  await app.admin.query(
    `insert into instalment_plans (tutor_id, id, family_id, currency, created_at) values ($1, 1, $2, 'GBP', now())`,
    values,
  );
  await app.admin.query(
    `insert into instalment_plan_charges (tutor_id, plan_id, charge_id) select $1, 1, n from generate_series(1, 1000) n`,
    values.slice(0, 1),
  );
  await app.admin.query(
    `insert into instalments (tutor_id, plan_id, position, due_on, amount, is_due)
     select $1, 1, n, '2026-10-01'::date + n * 30, 100000, n <= 2 from generate_series(1, 10) n`,
    values.slice(0, 1),
  );
  const params = { id: family.familyId };
  const { status, body } = await browser.call(arrears.arrears, { params });
  expect(status).toBe(200);
  expect(body.charges.map(({ isOnHold }) => isOnHold)).toEqual(
    Array.from({ length: 1000 }, (_, index) => index >= 200),
  );
});
